/// The kernel: everything that stages and modes can do, and nothing that goes round the gate, the
/// limits or the log.
///
/// Made by `run` and `resume` (agent/run.h), one per run, on the run's thread. Users meet it when
/// they write a stage or a mode.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ingle/agent/agent.h"
#include "ingle/agent/stage.h"
#include "ingle/core/call.h"
#include "ingle/model/generation.h"
#include "ingle/session/session_log.h"

namespace ingle {

/// Asked between stages: a reason to pause, or nothing.
using PauseCheck = std::function<std::optional<std::string>()>;

struct KernelOptions {
  Call call = {};  ///< Of the caller of `run`.
  std::optional<CancelSource> cancel =
      {};                        ///< Source of `call.stop`, if its reason is to be known.
  PauseCheck should_pause = {};  ///< Empty: never.
  DeltaSink* deltas = nullptr;   ///< Null: dropped.
};

class Kernel {
 public:
  Kernel(const Agent& agent, SessionLog& log, KernelOptions options);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  [[nodiscard]] const SessionState& state() const { return log_.state(); }
  [[nodiscard]] const Agent& agent() const { return agent_; }

  /// The caller's call, narrowed by the run's wall-time limit.
  [[nodiscard]] const Call& call() const { return call_; }

  /// A reason to pause, if somebody asked.
  [[nodiscard]] std::optional<std::string> pause_requested() const;

  /// One model round trip: the limits, the intent, the call, the reply - each in the log. Ends as
  /// stopped, cancelled (the partial reply is kept) or failed.
  StageResult call_model();

  /// Checks the form of every new call and asks the policy about it. Calls that may not run get an
  /// error result; those that a person must decide about raise an interrupt, as does a call whose
  /// outcome is unknown because the process died while it ran, unless it is idempotent. Ends as
  /// interrupted while any interrupt is open.
  StageResult decide_calls();

  /// Runs the allowed calls of the batch, in the model's order, one after another. The intent is
  /// logged before a tool starts. Ends as stopped (before the first, if the batch does not fit its
  /// limit), cancelled or failed.
  StageResult dispatch_calls();

  /// Applies the state changes of finished calls.
  StageResult propagate_state();

  /// The result of a tool that ran and whose store failed then: stored with the run's end, if that
  /// can be. Null: there is none.
  [[nodiscard]] const ToolFinished* unsaved_result() const {
    return unsaved_result_ ? &*unsaved_result_ : nullptr;
  }

  /// Keeps what a mode needs to go on elsewhere. Errors: those of `SessionLog::commit`, such as
  /// invalid_argument "event_too_large".
  Result<void> set_mode_state(Json mode_state);

  /// Why the call should stop, as an outcome; nothing while it should go on.
  [[nodiscard]] std::optional<Outcome> stop_outcome(std::string partial_text = {}) const;

 private:
  /// A limit on the next model call that has been reached.
  [[nodiscard]] std::optional<Stopped> reached_limit() const;
  StageResult dispatch(const CallState& call);
  void give_unique_ids(Message& reply);

  const Agent& agent_;
  SessionLog& log_;
  KernelOptions options_;
  Call call_;
  Deadline wall_deadline_;     ///< Of the limit alone.
  std::set<CallId> call_ids_;  ///< Every call id of the session.
  std::optional<ToolFinished> unsaved_result_;
};

}  // namespace ingle
