/// A run on a thread of its own.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ingle/agent/run.h"

namespace ingle {

/// What a handle gives: a stored event, or a piece of a reply.
using RunUpdate = std::variant<Event, Delta>;

/// Starts on creation. Destruction cancels (kAbandoned) and waits for the end. Thread-safe.
///
/// Updates wait in a queue; a slow reader never holds up the run: text that has not been read yet
/// is joined into one delta.
class RunHandle final {
 public:
  /// `run` (agent/run.h) on a thread. The handle keeps `store`; `options.cancel` and
  /// `options.observer` are replaced by the handle's own; `options.clock` must outlive it.
  static std::unique_ptr<RunHandle> start(Agent agent, std::shared_ptr<SessionStore> store,
                                          SessionId session, std::string message,
                                          RunOptions options = {}, Deadline deadline = {});

  /// `resume` on a thread.
  static std::unique_ptr<RunHandle> start_resume(Agent agent, std::shared_ptr<SessionStore> store,
                                                 SessionId session,
                                                 std::vector<InterruptAnswer> answers,
                                                 RunOptions options = {}, Deadline deadline = {});

  ~RunHandle();
  RunHandle(const RunHandle&) = delete;
  RunHandle& operator=(const RunHandle&) = delete;

  /// The next update; waits for one. Empty when the run is over and all were taken, or `call`
  /// should stop.
  std::optional<RunUpdate> next(const Call& call = {});

  /// Asks the run to stop; the first reason wins.
  void cancel(CancelReason reason);

  /// Waits for the end. The same result each time.
  Result<RunReport> wait();

 private:
  class Impl;
  explicit RunHandle(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace ingle
