#include "ingle/session/state.h"

#include <algorithm>

namespace ingle {

Result<SessionState> fold(std::span<const Event> events) {
  SessionState state;
  for (const Event& event : events) {
    INGLE_RETURN_IF_ERROR(apply(state, event));
  }
  return state;
}

const CallState* find_call(const SessionState& state, const CallId& id) {
  if (!state.run) {
    return nullptr;
  }
  const auto& batch = state.run->batch;
  const auto it = std::ranges::find_if(
      batch, [&id](const CallState& candidate) { return candidate.call.id == id; });
  return it == batch.end() ? nullptr : &*it;
}

bool has_unresolved_calls(const SessionState& state) {
  return state.run && std::ranges::any_of(state.run->batch, [](const CallState& call) {
           return call.status != CallStatus::kFinished;
         });
}

bool needs_reply(const SessionState& state) {
  if (state.transcript.empty() || has_unresolved_calls(state)) {
    return false;
  }
  const Role last = state.transcript.back().role;
  return last == Role::kUser || last == Role::kTool;
}

bool can_resume(const SessionState& state) {
  return state.run &&
         (state.run->is_active || (state.run->outcome && is_resumable(*state.run->outcome)));
}

}  // namespace ingle
