/// What a loaded model is made of, and the model that is made of it.
#pragma once

#include <memory>

#include "engine_llama/chat_template.h"
#include "engine_llama/decoder.h"
#include "engine_llama/llama_handles.h"
#include "ingle/core/result.h"
#include "ingle/engine_llama/llama_backend.h"
#include "ingle/model/language_model.h"

namespace ingle {

/// Members that use others come after them.
struct LlamaParts {
  std::shared_ptr<LlamaBackend> backend;
  LlamaModelHandle model;
  ChatTemplate chat_template;
  DecoderOptions decoder_options;
  std::unique_ptr<Decoder> decoder;
};

[[nodiscard]] std::shared_ptr<LanguageModel> make_llama_language_model(LlamaParts parts,
                                                                       ModelInfo info);

/// `source`, or where that is empty the template in the model's file, or none.
/// Errors: invalid_argument "chat_template_invalid".
Result<ChatTemplate> make_chat_template(const llama_model* model, const std::string& source);

}  // namespace ingle
