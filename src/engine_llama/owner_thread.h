/// The one thread that may touch a llama context; others queue their work here.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <utility>

#include "ingle/core/call.h"
#include "ingle/core/sync.h"

namespace ingle {

/// Runs work in the order of arrival, one at a time. Thread-safe.
///
/// Overflow rule: the queue has no bound of its own, since every entry is a thread that blocks in
/// `run`. The destructor stops the work that runs, withdraws what waits, and joins; `run` calls of
/// other threads then return, and do not touch this object any more.
class OwnerThread {
 public:
  /// Work polls this: the caller's stop token and deadline, or the end of the owner.
  class StopCheck {
   public:
    StopCheck(const Call& call, std::stop_token shutdown)
        : call_(&call), shutdown_(std::move(shutdown)) {}
    [[nodiscard]] bool should_stop() const {
      return shutdown_.stop_requested() || call_->should_stop();
    }

   private:
    const Call* call_;
    std::stop_token shutdown_;
  };
  using Work = std::function<void(const StopCheck&)>;

  enum class Ran : std::uint8_t {
    kToTheEnd,   ///< The work returned (of itself or because it was asked to stop).
    kWithdrawn,  ///< It never started: stopped, out of time or shut down while it waited.
  };

  OwnerThread();
  ~OwnerThread();
  OwnerThread(const OwnerThread&) = delete;
  OwnerThread& operator=(const OwnerThread&) = delete;

  /// Blocks until `work` has run or was withdrawn. `work` must not throw.
  Ran run(const Call& call, const Work& work);

  /// Calls whose work has not started.
  [[nodiscard]] std::size_t waiting_count() const;

 private:
  struct Job;
  struct State {
    Mutex mutex;
    std::condition_variable_any changed;
    std::deque<Job*> waiting INGLE_GUARDED_BY(mutex);
    bool is_closed INGLE_GUARDED_BY(mutex) = false;
  };

  static void serve(const std::stop_token& shutdown, State& state);

  // Shared with the threads in `run`, which may outlive this object by a moment.
  std::shared_ptr<State> state_;
  std::jthread thread_;
};

}  // namespace ingle
