/// What the signals of a terminal or a supervisor mean for a run, and for a chat.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "ingle/core/call.h"
#include "ingle/core/sync.h"

namespace ingle::app {

/// SIGINT (Ctrl-C) cancels; the second one ends the process at once with exit code 130. SIGTERM
/// asks for a pause at the next safe point; the second one cancels (kShutdown). SIGPIPE is ignored:
/// writing fails instead. Each is acknowledged by a line on standard error.
///
/// A chat has turns: in each of them the signals mean that, beginning anew. Outside of its turns
/// they end the wait for a line, in silence.
///
/// One object per process, made before other threads. The handlers only write to a pipe, which a
/// thread reads; they are not inherited by programs that are started. Thread-safe.
class Signals final {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  [[nodiscard]] CancelSource cancel_source() const;
  [[nodiscard]] std::optional<std::string> pause_requested() const;

  /// From now to `end_turn` Ctrl-C cancels this source.
  CancelSource begin_turn();
  void end_turn();

  /// A file descriptor that can be read when a signal came outside of a turn.
  [[nodiscard]] int wake_end() const { return wake_read_end_; }
  /// Did Ctrl-C come outside of a turn? Forgets it, and empties `wake_end`.
  bool take_interrupt();

 private:
  void serve();
  void interrupt();
  void terminate();
  void wake() const;

  int read_end_ = -1;
  int wake_read_end_ = -1;
  int wake_write_end_ = -1;
  std::atomic<bool> is_pause_requested_ = false;
  std::atomic<bool> has_turns_ = false;       ///< Of a chat.
  std::atomic<bool> is_interrupted_ = false;  ///< Outside of a turn.
  mutable Mutex mutex_;
  CancelSource cancel_ INGLE_GUARDED_BY(mutex_);
  std::jthread thread_;
};

}  // namespace ingle::app
