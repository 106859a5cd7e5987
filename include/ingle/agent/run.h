/// Running an agent: `run` begins, `resume` goes on.
///
/// Both block until the run ends; `RunHandle` (agent/run_handle.h) does the same on a thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ingle/agent/agent.h"
#include "ingle/agent/kernel.h"
#include "ingle/core/call.h"
#include "ingle/core/clock.h"
#include "ingle/core/result.h"
#include "ingle/session/event.h"
#include "ingle/session/session_store.h"

namespace ingle {

/// Is told what happens, as it happens. Must return quickly; cannot stop the run (use the token).
/// What it throws is dropped: the run goes on.
/// Never called from two threads at once: events on the run's thread, deltas maybe on the engine's.
class RunObserver {
 public:
  virtual ~RunObserver() = default;
  virtual void on_event(const Event& event) = 0;  ///< Already stored.
  virtual void on_delta(const Delta& delta) = 0;  ///< Never stored.
};

/// A person's answer to one interrupt.
struct InterruptAnswer {
  InterruptId id = {};
  InterruptDecision decision = InterruptDecision::kReject;
  std::string text = {};  ///< kReject: the reason (may be empty); kRespond: the result.
};

struct RunOptions {
  // Behaviour. Logged: a resume needs no repetition.
  UntilTool until = {};               ///< `run` only.
  std::optional<Limits> limits = {};  ///< Instead of the agent's; `run` only.
  Json settings =
      {};  ///< Kept in `RunStarted` for the application, which finds its agent by it on resume.
  // Control.
  std::optional<CancelSource> cancel =
      {};                        ///< Source of the call's stop token, so that its reason is logged.
  PauseCheck should_pause = {};  ///< Asked between stages.
  RunObserver* observer = nullptr;
  bool accept_changes =
      false;  ///< `resume` only: go on although a pending call's tool or the policy changed.
  const Clock* clock = nullptr;  ///< Null: the machine's.
};

struct RunReport {
  RunId run = {};
  Outcome outcome = {};
  LimitsUsed used = {};       ///< Of the whole run, earlier parts included.
  std::int64_t last_seq = 0;  ///< Of the session.
};

/// What `run` checks of `RunOptions::until`, for whoever wants to know before there is a model.
/// Errors: invalid_argument "until_tool_unknown" (lists the unknown names and the tools there are).
Result<void> check_until(const UntilTool& until, const ToolSet& tools);

/// Makes an empty session for `agent`. Errors: those of the store.
Result<void> create_session(SessionStore& store, const SessionId& session, const Agent& agent,
                            const Clock& clock);

/// Adds `message` to the session and advances it until the model answers or the run ends otherwise.
/// Whatever an earlier run left pending is closed first, as superseded. Once the run has begun,
/// every end is an outcome and its `RunEnded` is the last event.
///
/// Errors (nothing was added): invalid_argument "until_tool_unknown" (lists the unknown names and
/// the tools there are), "message_empty", "limit_out_of_range"; unsupported "session_newer"; the
/// store's.
Result<RunReport> run(const Call& call, const Agent& agent, SessionStore& store,
                      const SessionId& session, std::string message,
                      const RunOptions& options = {});

/// Goes on with a session that was interrupted (with its answers), paused, or whose process died;
/// or that ended in another way while the model still owed a reply. Answers are matched by id, in
/// any order; those that are missing leave their interrupt open.
///
/// Errors (nothing changed): failed_precondition "nothing_to_resume", "tool_changed" (a pending
/// call's tool or the policy is not what it was: see `RunOptions::accept_changes`), "mode_changed";
/// invalid_argument "answer_unknown" (no open interrupt has this id), "answer_duplicate";
/// unsupported "session_newer"; the store's.
Result<RunReport> resume(const Call& call, const Agent& agent, SessionStore& store,
                         const SessionId& session, const std::vector<InterruptAnswer>& answers = {},
                         const RunOptions& options = {});

}  // namespace ingle
