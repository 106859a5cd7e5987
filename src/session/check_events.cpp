/// Asking first. The rules are those of `apply`, tried on an outline of the state: what a group's
/// second event may do follows from its first, and the whole state is too large to be copied.
#include <nlohmann/json.hpp>

#include "ingle/session/state.h"

namespace ingle {
namespace {

CallState outline(const CallState& call) {
  CallState out;
  out.call.id = call.call.id;
  out.status = call.status;
  out.attempts = call.attempts;
  out.is_idempotent = call.is_idempotent;
  out.is_propagated = call.is_propagated;
  if (call.result) {
    ToolFinished& result = out.result.emplace();
    result.source = call.result->source;
    result.is_error = call.result->is_error;
  }
  return out;
}

RunState outline(const RunState& run) {
  RunState out;
  out.started.run = run.started.run;
  out.is_active = run.is_active;
  out.active_since = run.active_since;
  if (run.outcome) {
    // Whether it can go on is all that anybody asks.
    out.outcome = is_resumable(*run.outcome) ? Outcome(Paused{}) : Outcome(Completed{});
  }
  out.batch.reserve(run.batch.size());
  for (const CallState& call : run.batch) {
    out.batch.push_back(outline(call));
  }
  return out;
}

/// All of `state` that decides whether an event fits, and nothing of what makes it large.
SessionState outline(const SessionState& state) {
  SessionState out;
  out.last_seq = state.last_seq;
  out.last_time = state.last_time;
  out.unknown_event = state.unknown_event;
  out.shared = json::object();
  for (const InterruptRaised& interrupt : state.interrupts) {
    InterruptRaised& open = out.interrupts.emplace_back();
    open.id = interrupt.id;
    open.call_id = interrupt.call_id;
  }
  if (state.run) {
    out.run = outline(*state.run);
    // A result finds its place behind the newest reply: as many messages stand in for what is
    // there.
    out.transcript.resize(1 + out.run->batch.size());
  }
  return out;
}

}  // namespace

Result<void> check_events(const SessionState& state, std::span<const Event> events) {
  SessionState trial = outline(state);
  for (const Event& event : events) {
    INGLE_RETURN_IF_ERROR(apply(trial, event));
  }
  return {};
}

}  // namespace ingle
