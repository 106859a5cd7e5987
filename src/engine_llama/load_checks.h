/// What can be said about a model file before llama.cpp sees it.
#pragma once

#include "ingle/core/result.h"
#include "ingle/engine_llama/llama_model.h"
#include "ingle/gguf/gguf.h"

namespace ingle {

/// Ranges of the options. Errors: invalid_argument "option_out_of_range".
Result<void> check_load_options(const LlamaModelOptions& options);

/// Refuses kinds of models that cannot chat.
/// Errors: unsupported "model_is_embedding", "architecture_unsupported".
Result<void> check_architecture(const GgufHeader& header);

/// The context window that a model gets: what was asked for, or the model's own up to 8192.
/// Errors: invalid_argument "option_out_of_range" (larger than the model's own).
Result<std::int32_t> choose_context_window(std::int32_t requested, std::int64_t model_context);

/// Bytes that the model will need: weights, KV cache, room to compute.
[[nodiscard]] std::uint64_t estimate_memory(const GgufHeader& header, std::int32_t context_window);

/// Errors: resource_exhausted "model_too_large" (details: needed_bytes, available_bytes).
/// `available_bytes` 0: unknown, so all is well.
Result<void> check_memory(std::uint64_t needed_bytes, std::uint64_t available_bytes);

}  // namespace ingle
