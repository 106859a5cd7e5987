/// The fold. Each case checks first and changes afterwards, so that a refused event changes
/// nothing.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "ingle/session/state.h"

namespace ingle {
namespace {

/// A reply that was cut may end in the middle of a call: none of its calls is run.
bool calls_are_run(FinishReason reason) {
  return reason == FinishReason::kStop || reason == FinishReason::kToolCalls;
}

std::size_t finished_before(const std::vector<CallState>& batch, std::size_t index) {
  return static_cast<std::size_t>(
      std::count_if(batch.begin(), batch.begin() + static_cast<std::ptrdiff_t>(index),
                    [](const CallState& call) { return call.status == CallStatus::kFinished; }));
}

/// What the finished `batch` makes of the number of steps in a row without success. Superseded
/// calls say nothing about it.
std::int64_t error_steps_after(const std::vector<CallState>& batch, std::int64_t before) {
  bool any_counts = false;
  for (const CallState& call : batch) {
    if (call.result->source == ResultSource::kSuperseded) {
      continue;
    }
    if (!call.result->is_error) {
      return 0;
    }
    any_counts = true;
  }
  return any_counts ? before + 1 : before;
}

class Applier {
 public:
  Applier(SessionState& state, const Event& event) : state_(state), event_(event) {}

  Result<void> operator()(const SessionStarted& body) {
    if (state_.last_seq != 0) {
      return impossible("a session starts only once");
    }
    state_.agent = body.agent;
    state_.shared = json::object();
    if (body.version > kEventFormatVersion) {
      state_.unknown_event = event_type(event_.body);
    }
    return {};
  }

  Result<void> operator()(const MessageAdded& body) {
    state_.transcript.push_back(body.message);
    return {};
  }

  Result<void> operator()(const RunStarted& body) {
    if (body.run.empty() || (state_.run && state_.run->started.run == body.run)) {
      return impossible("the run id is empty or that of the newest run");
    }
    if (has_unresolved_calls(state_) || !state_.interrupts.empty()) {
      return impossible("calls or interrupts of the newest run are open");
    }
    RunState run;
    run.started = body;
    run.tool_fingerprints = body.tool_fingerprints;
    run.policy_fingerprint = body.policy_fingerprint;
    run.active_since = event_.time;
    state_.run = std::move(run);
    ++state_.runs;
    return {};
  }

  Result<void> operator()(const RunResumed& body) {
    if (!state_.run || state_.run->started.run != body.run || !can_resume(state_)) {
      return impossible("no run " + body.run.str() + " can go on");
    }
    RunState& run = *state_.run;
    if (run.is_active) {
      // Its process died: what is known of its time ends with the event before.
      count_wall_time(state_.last_time);
    }
    run.tool_fingerprints = body.tool_fingerprints;
    run.policy_fingerprint = body.policy_fingerprint;
    run.is_active = true;
    run.active_since = event_.time;
    run.outcome.reset();
    return {};
  }

  Result<void> operator()(const ModelCalled&) {
    INGLE_RETURN_IF_ERROR(check_active());
    ++state_.run->used.model_calls;
    return {};
  }

  Result<void> operator()(const ModelReplied& body) {
    INGLE_RETURN_IF_ERROR(check_active());
    if (has_unresolved_calls(state_)) {
      return impossible("a reply while calls have no result");
    }
    if (body.message.role != Role::kAssistant) {
      return impossible("a reply that is not an assistant's");
    }
    INGLE_RETURN_IF_ERROR(check_call_ids(body.message.tool_calls));
    RunState& run = *state_.run;
    run.batch.clear();
    run.batch_message = state_.transcript.size();
    if (calls_are_run(body.finish_reason)) {
      for (const ToolCall& call : body.message.tool_calls) {
        run.batch.emplace_back().call = call;
      }
    }
    if (body.message.tool_calls.empty()) {
      run.used.error_steps = 0;
    }
    run.used.usage += body.usage;
    run.last_finish = body.finish_reason;
    state_.transcript.push_back(body.message);
    ++state_.replies;
    return {};
  }

  Result<void> operator()(const GateDecided& body) {
    INGLE_RETURN_IF_ERROR(check_active());
    CallState* call = find_unresolved(body.call_id);
    if (call == nullptr || call->status == CallStatus::kStarted) {
      return impossible("no call " + body.call_id.str() + " waits for a decision");
    }
    switch (body.effect) {
      case GateEffect::kAllow:
        call->status = CallStatus::kAllowed;
        break;
      case GateEffect::kAsk:
        call->status = CallStatus::kAwaiting;
        break;
      case GateEffect::kDeny:
        call->status = CallStatus::kProposed;
        break;
    }
    call->digest = body.digest;
    return {};
  }

  Result<void> operator()(const InterruptRaised& body) {
    INGLE_RETURN_IF_ERROR(check_active());
    if (find_unresolved(body.call_id) == nullptr) {
      return impossible("no call " + body.call_id.str() + " is open");
    }
    const bool is_taken = std::ranges::any_of(state_.interrupts, [&](const InterruptRaised& open) {
      return open.id == body.id || open.call_id == body.call_id;
    });
    if (body.id.empty() || is_taken) {
      return impossible("the interrupt has no id, or it or one for its call is open");
    }
    state_.interrupts.push_back(body);
    return {};
  }

  Result<void> operator()(const InterruptResolved& body) {
    const auto it = std::ranges::find(state_.interrupts, body.id, &InterruptRaised::id);
    if (it == state_.interrupts.end()) {
      return impossible("no interrupt " + body.id.str() + " is open");
    }
    CallState* call = find_unresolved(it->call_id);
    if (call != nullptr && body.decision == InterruptDecision::kApprove) {
      call->status = CallStatus::kAllowed;
    }
    state_.interrupts.erase(it);
    return {};
  }

  Result<void> operator()(const ToolStarted& body) {
    INGLE_RETURN_IF_ERROR(check_active());
    CallState* call = find_unresolved(body.call_id);
    const bool may_start =
        call != nullptr && (call->status == CallStatus::kAllowed ||
                            (call->status == CallStatus::kStarted && call->is_idempotent));
    if (!may_start) {
      return impossible("the call " + body.call_id.str() + " may not start");
    }
    if (body.attempt != call->attempts + 1) {
      return impossible("the next attempt is " + std::to_string(call->attempts + 1));
    }
    call->status = CallStatus::kStarted;
    call->attempts = body.attempt;
    call->is_idempotent = body.is_idempotent;
    if (body.attempt == 1) {
      ++state_.run->used.tool_calls;
    }
    return {};
  }

  Result<void> operator()(const ToolFinished& body) {
    CallState* call = find_unresolved(body.call_id);
    if (call == nullptr) {
      return impossible("no call " + body.call_id.str() + " is open");
    }
    RunState& run = *state_.run;
    const auto index = static_cast<std::size_t>(call - run.batch.data());
    const std::size_t place = run.batch_message + 1 + finished_before(run.batch, index);
    state_.transcript.insert(state_.transcript.begin() + static_cast<std::ptrdiff_t>(place),
                             Message::tool_result(call->call, body.text, body.is_error));
    call->status = CallStatus::kFinished;
    call->result = body;
    if (!has_unresolved_calls(state_)) {
      run.used.error_steps = error_steps_after(run.batch, run.used.error_steps);
    }
    return {};
  }

  Result<void> operator()(const StateChanged& body) {
    if (!body.patch->is_object()) {
      return impossible("the patch is not an object");
    }
    std::set<CallId> seen;
    for (const CallId& id : body.from_calls) {
      const CallState* call = find_call(state_, id);
      if (call == nullptr || !call->result || call->is_propagated || !seen.insert(id).second) {
        return impossible("no state change of the call " + id.str() + " is open");
      }
    }
    state_.shared->merge_patch(*body.patch);
    for (const CallId& id : body.from_calls) {
      find_in_batch(id)->is_propagated = true;
    }
    return {};
  }

  Result<void> operator()(const ModeStateSet& body) {
    INGLE_RETURN_IF_ERROR(check_active());
    state_.run->mode_state = body.state;
    return {};
  }

  Result<void> operator()(const RunEnded& body) {
    INGLE_RETURN_IF_ERROR(check_active());
    if (state_.run->started.run != body.run) {
      return impossible("the run " + body.run.str() + " is not the active one");
    }
    count_wall_time(event_.time);
    state_.run->is_active = false;
    state_.run->outcome = body.outcome;
    return {};
  }

  Result<void> operator()(const UnknownEvent& body) {
    if (state_.unknown_event.empty()) {
      state_.unknown_event = body.type;
    }
    return {};
  }

  [[nodiscard]] Error impossible(const std::string& why) const {
    return {ErrorCode::kDataLoss, "event_impossible",
            "event " + std::to_string(event_.seq) + ", " + std::string(event_type(event_.body)) +
                ", does not fit: " + why,
            json{{"seq", event_.seq}}};
  }

 private:
  [[nodiscard]] Result<void> check_active() const {
    if (!state_.run || !state_.run->is_active) {
      return impossible("no run is active");
    }
    return {};
  }

  [[nodiscard]] Result<void> check_call_ids(const std::vector<ToolCall>& calls) const {
    std::set<CallId> seen;
    for (const ToolCall& call : calls) {
      if (call.id.empty() || !seen.insert(call.id).second) {
        return impossible("a call id is empty or repeated");
      }
    }
    return {};
  }

  CallState* find_in_batch(const CallId& id) {
    const CallState* call = find_call(state_, id);
    return call == nullptr
               ? nullptr
               : &state_.run->batch[static_cast<std::size_t>(call - state_.run->batch.data())];
  }

  /// The call, unless it has its result.
  CallState* find_unresolved(const CallId& id) {
    CallState* call = find_in_batch(id);
    return call == nullptr || call->status == CallStatus::kFinished ? nullptr : call;
  }

  void count_wall_time(Timestamp until) {
    RunState& run = *state_.run;
    run.used.wall_time += std::max(until - run.active_since, std::chrono::milliseconds{0});
  }

  SessionState& state_;
  const Event& event_;
};

}  // namespace

Result<void> apply(SessionState& state, const Event& event) {
  if (event.seq != state.last_seq + 1) {
    return Error{ErrorCode::kDataLoss, "event_out_of_order",
                 "event " + std::to_string(event.seq) + " where " +
                     std::to_string(state.last_seq + 1) + " was expected",
                 json{{"seq", event.seq}, {"expected_seq", state.last_seq + 1}}};
  }
  Applier applier(state, event);
  if (state.last_seq == 0 && !std::holds_alternative<SessionStarted>(event.body)) {
    return applier.impossible("a session begins with session_started");
  }
  auto result = std::visit(applier, event.body);
  if (!result && state.unknown_event.empty()) {
    return result;
  }
  state.last_seq = event.seq;
  state.last_time = event.time;
  return {};
}

}  // namespace ingle
