/// Routes llama.cpp's log to ours, and remembers errors for the message of a failed call.
#pragma once

#include <memory>
#include <string>

#include "ingle/core/log.h"

namespace ingle {

/// From now on llama.cpp's and ggml's lines go to `log`, one level down (their "info" is our
/// debug). Null: they go nowhere. Thread-safe.
void route_llama_log(std::shared_ptr<Log> log);

/// Collects the error lines that llama.cpp logs on this thread while it lives. Not nested.
class LlamaErrorLines {
 public:
  LlamaErrorLines();
  ~LlamaErrorLines();
  LlamaErrorLines(const LlamaErrorLines&) = delete;
  LlamaErrorLines& operator=(const LlamaErrorLines&) = delete;

  /// The last few lines in one, or empty.
  [[nodiscard]] std::string text() const;

  /// `text` in a sentence to append to a message: "; llama.cpp says: ...", or empty.
  [[nodiscard]] std::string quoted() const;
};

}  // namespace ingle
