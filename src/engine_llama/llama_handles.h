/// Owners of llama.cpp's objects.
#pragma once

#include <llama.h>

#include <memory>

namespace ingle {

struct LlamaModelDeleter {
  void operator()(llama_model* model) const { llama_model_free(model); }
};
struct LlamaContextDeleter {
  void operator()(llama_context* context) const { llama_free(context); }
};
using LlamaModelHandle = std::unique_ptr<llama_model, LlamaModelDeleter>;
using LlamaContextHandle = std::unique_ptr<llama_context, LlamaContextDeleter>;

}  // namespace ingle
