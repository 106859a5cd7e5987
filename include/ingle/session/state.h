/// What follows from a session's events.
///
/// `apply` is the only function that changes a `SessionState`; the live run and replay both use it,
/// so they cannot differ. Values, all JSON in the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ingle/core/json.h"
#include "ingle/core/result.h"
#include "ingle/session/event.h"

namespace ingle {

/// How far a call of the newest batch has come.
enum class CallStatus : std::uint8_t {
  kProposed,  ///< The model asked for it; the gate has not seen it.
  kAwaiting,  ///< The gate said ask: a person decides.
  kAllowed,   ///< May run.
  kStarted,   ///< Its start is logged. Seen between stages: the process died while it ran.
  kFinished,  ///< Has a result.
};

struct CallState {
  ToolCall call = {};
  CallStatus status = CallStatus::kProposed;
  std::string digest = {};     ///< Of the gate's decision; empty before it.
  std::int64_t attempts = 0;   ///< Starts so far.
  bool is_idempotent = false;  ///< As logged when it started.
  std::optional<ToolFinished> result = {};
  bool is_propagated = false;  ///< Its state change has been applied.

  bool operator==(const CallState&) const = default;
};

/// A run: everything that is needed to go on with it in another process.
struct RunState {
  RunStarted started = {};
  std::map<std::string, std::string> tool_fingerprints = {};  ///< Of the latest start or resume.
  std::string policy_fingerprint = {};
  LimitsUsed used = {};
  Json mode_state = {};  ///< Null until the mode sets one.
  std::vector<CallState> batch =
      {};  ///< Calls of the newest reply, in the model's order; none if it was cut.
  std::size_t batch_message =
      0;  ///< Index of that reply in the transcript; its results stand behind it.
  std::optional<FinishReason> last_finish = {};  ///< Of the newest reply of this run.
  bool is_active = true;                         ///< Between a start or resume and its `RunEnded`.
  std::optional<Outcome> outcome = {};           ///< Of the latest `RunEnded`.
  Timestamp active_since{};                      ///< Of the latest start or resume.

  bool operator==(const RunState&) const = default;
};

struct SessionState {
  std::int64_t last_seq = 0;  ///< 0: nothing has happened yet.
  Timestamp last_time{};
  std::string agent = {};
  std::vector<Message> transcript =
      {};            ///< Every message; results of a batch stand in the order of its calls.
  Json shared = {};  ///< Changed by tools through `StateChanged`; an object.
  std::optional<RunState> run = {};              ///< The newest run.
  std::vector<InterruptRaised> interrupts = {};  ///< Open ones, oldest first.
  std::int64_t runs = 0;                         ///< Runs ever started.
  std::int64_t replies = 0;                      ///< Model replies ever.
  std::string unknown_event =
      {};  ///< Type of the first event that this version does not know, or empty.

  bool operator==(const SessionState&) const = default;
};

/// Folds one event into `state`. O(size of the event).
///
/// Errors (the state is unchanged): data_loss "event_out_of_order" (seq is not last_seq + 1),
/// "event_impossible" (it does not fit: it refers to a run, call or interrupt that is not there, or
/// comes at a wrong time). Behind an unknown event, one that does not fit is counted and skipped
/// instead, so that a session of a newer version can be read as far as it is understood.
Result<void> apply(SessionState& state, const Event& event);

/// Would `apply` take `events`, one after the other? Changes nothing. O(size of the events, and
/// number of calls of the newest reply).
///
/// Errors: those of `apply`, of the first event that does not fit.
Result<void> check_events(const SessionState& state, std::span<const Event> events);

/// The state after `events`, which begin with seq 1.
Result<SessionState> fold(std::span<const Event> events);

/// The call with this id in the newest batch, or null.
[[nodiscard]] const CallState* find_call(const SessionState& state, const CallId& id);

/// Some call of the newest batch has no result.
[[nodiscard]] bool has_unresolved_calls(const SessionState& state);

/// The model owes a reply: the last message is a user's, or a tool's in a batch that is complete.
[[nodiscard]] bool needs_reply(const SessionState& state);

/// The newest run can go on: it was interrupted or paused, or its process died.
[[nodiscard]] bool can_resume(const SessionState& state);

}  // namespace ingle
