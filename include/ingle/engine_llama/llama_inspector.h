/// Looks into a GGUF file: its vocabulary and its chat template, without its weights.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "ingle/core/result.h"
#include "ingle/engine_llama/llama_backend.h"
#include "ingle/model/model_inspector.h"

namespace ingle {

/// Reads the header and the vocabulary: less than a second. A file that is not known to be sound
/// should be probed first (llama_model.h). `chat_template` is Jinja source in place of the one in
/// the file; empty: that.
///
/// Errors: those of `read_gguf_header`; invalid_argument "chat_template_invalid"; internal
/// "model_load_failed".
Result<std::unique_ptr<ModelInspector>> open_llama_inspector(std::shared_ptr<LlamaBackend> backend,
                                                             const std::filesystem::path& path,
                                                             const std::string& chat_template = {});

}  // namespace ingle
