/// llama.cpp's process-wide part: its libraries for this CPU, its log.
///
/// Start with `LlamaBackend::start`, once per process, in main(); then engine_llama/llama_model.h.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ingle/core/log.h"
#include "ingle/core/result.h"

namespace ingle {

/// A device that models can run on.
struct LlamaDevice {
  std::string name = {};         ///< "CPU", "CUDA0", ...
  std::string description = {};  ///< The chip's name.
};

/// Keeps llama.cpp initialised while it lives; models hold a share of it. Thread-safe.
class LlamaBackend final {
 public:
  /// Loads the backend libraries that lie beside libggml (never from the current folder) and routes
  /// llama.cpp's log to `log`.
  ///
  /// Errors: failed_precondition "backend_running" (one at a time per process);
  /// unavailable "backend_missing" (no library for this CPU was found; says where it looked).
  static Result<std::shared_ptr<LlamaBackend>> start(std::shared_ptr<Log> log);

  ~LlamaBackend();
  LlamaBackend(const LlamaBackend&) = delete;
  LlamaBackend& operator=(const LlamaBackend&) = delete;

  [[nodiscard]] std::string version() const;      ///< llama.cpp's release.
  [[nodiscard]] std::string system_info() const;  ///< CPU features that the loaded library uses.
  [[nodiscard]] std::vector<LlamaDevice> devices() const;

 private:
  LlamaBackend() = default;
};

}  // namespace ingle
