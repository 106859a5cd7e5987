/// A GGUF model in this process.
///
/// One owner thread has the llama context; requests wait in a queue and are served one at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingle/core/call.h"
#include "ingle/core/log.h"
#include "ingle/core/result.h"
#include "ingle/engine_llama/llama_backend.h"
#include "ingle/model/language_model.h"

namespace ingle {

enum class KvCacheType : std::uint8_t { kF16, kQ8, kQ4 };

struct LlamaModelOptions {
  // Behaviour.
  std::filesystem::path path = {};  ///< The GGUF file.
  std::string name = {};            ///< For `ModelInfo`; empty: the file's stem.
  std::int32_t context_window = 0;  ///< Tokens; 0: the model's own, at most 8192.
  std::string chat_template = {};   ///< Jinja source in place of the one in the file; empty: that.
  std::vector<std::string> trusted_sha256 =
      {};  ///< Files with these digests are loaded without a probe.
  /// Command that loads a file in a child process: its argv, to which the path is appended; it must
  /// exit with 0. Empty: a file with an unknown digest is loaded without a probe.
  std::vector<std::string> probe_command = {};
  std::function<void(float)> on_progress = {};  ///< Fraction loaded, 0..1; on the calling thread.
  // Performance.
  std::int32_t threads =
      0;  ///< For a token at a time. 0: the cores that this process may use, at most 8.
  std::int32_t batch_threads = 0;  ///< For many at a time. 0: as `threads`.
  std::int32_t batch_size = 256;  ///< Tokens per decode call: a stop request waits for one at most.
  /// Keys and values in the cache: 2, about 1 and about 0.5 bytes a number. Less than f16 changes
  /// what the model writes a little, and needs flash attention.
  KvCacheType kv_cache_type = KvCacheType::kF16;
  std::optional<bool> flash_attention = {};  ///< Unset: where the device is known to profit.
  /// Layers that are put on a GPU, if the engine has one: -1 all, 0 none.
  std::int32_t gpu_layers = -1;
};

/// Checks all that can be checked before a native call that could abort (see `read_gguf_header`),
/// probes an unknown file in a child process, then loads. Blocks for seconds.
///
/// Errors: those of `read_gguf_header`; unsupported "model_is_embedding" (made for embeddings,
/// cannot chat), "architecture_unsupported"; invalid_argument "option_out_of_range";
/// resource_exhausted "model_too_large" (does not fit in memory); internal "model_load_failed",
/// "model_probe_failed" (with llama.cpp's own words); cancelled, deadline_exceeded.
Result<std::shared_ptr<LanguageModel>> load_llama_model(const Call& call,
                                                        std::shared_ptr<LlamaBackend> backend,
                                                        const LlamaModelOptions& options,
                                                        std::shared_ptr<Log> log);

/// What a probe child does: loads `path`, decodes one token, frees it. Same errors.
Result<void> probe_llama_model(const LlamaModelOptions& options, std::shared_ptr<Log> log);

}  // namespace ingle
