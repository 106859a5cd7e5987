/// What the signals of a terminal or a supervisor mean for a run.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <thread>

#include "ingle/core/call.h"

namespace ingle::app {

/// SIGINT (Ctrl-C) cancels; the second one ends the process at once with exit code 130. SIGTERM
/// asks for a pause at the next safe point; the second one cancels (kShutdown). SIGPIPE is ignored:
/// writing fails instead. Each is acknowledged by a line on standard error.
///
/// One object per process, made before other threads. The handlers only write to a pipe, which a
/// thread reads; they are not inherited by programs that are started. Thread-safe.
class Signals final {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  [[nodiscard]] CancelSource cancel_source() const { return cancel_; }
  [[nodiscard]] std::optional<std::string> pause_requested() const;

 private:
  void serve();

  int read_end_ = -1;
  std::atomic<bool> is_pause_requested_ = false;
  CancelSource cancel_;
  std::jthread thread_;
};

}  // namespace ingle::app
