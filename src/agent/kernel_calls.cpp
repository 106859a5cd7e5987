// The kernel's side of tool calls: the gate, the intent, the run, the result.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "agent/closing.h"
#include "agent/tool_result.h"
#include "ingle/agent/kernel.h"
#include "ingle/core/utf8.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxShownArguments = 400;  ///< Bytes of a call's arguments in a question.

/// The place in the log where the question will stand makes its id: unique, short, and derived.
InterruptId next_interrupt_id(const SessionState& state, const std::vector<EventBody>& before) {
  return InterruptId("ask_" +
                     std::to_string(state.last_seq + 1 + static_cast<std::int64_t>(before.size())));
}

std::string shown(const ToolCall& call) {
  const std::string arguments = call.arguments.dump();
  const std::string_view cut = truncate_utf8(arguments, kMaxShownArguments);
  return call.name + " " + std::string(cut) + (cut.size() < arguments.size() ? "..." : "");
}

EventBody refusal(const CallState& call, ResultSource source, std::string text) {
  return ToolFinished{.call_id = call.call.id,
                      .source = source,
                      .is_error = true,
                      .text = std::move(text),
                      .value = {},
                      .state_change = {}};
}

bool has_interrupt(const SessionState& state, const CallState& call) {
  return std::ranges::any_of(state.interrupts, [&](const InterruptRaised& interrupt) {
    return interrupt.call_id == call.call.id;
  });
}

/// Adds what the gate makes of one call that it has not seen, or has seen under another policy.
void decide(const Agent& agent, const SessionState& state, const CallState& call,
            const std::string& digest, std::vector<EventBody>& events) {
  const AgentOptions& options = agent.options();
  for (const InterruptRaised& interrupt : state.interrupts) {
    if (interrupt.call_id == call.call.id) {
      events.emplace_back(InterruptResolved{.id = interrupt.id,
                                            .decision = InterruptDecision::kReject,
                                            .text = "Asked again: the policy changed."});
    }
  }
  if (auto checked = options.tools.check(call.call); !checked) {
    events.push_back(refusal(call, ResultSource::kInvalid, checked.error().message));
    return;
  }
  const Tool& tool = *options.tools.find(call.call.name);
  const GateDecision decision = options.policy.decide(tool.spec(), tool.traits());
  events.emplace_back(GateDecided{
      .call_id = call.call.id, .effect = decision.effect, .rule = decision.rule, .digest = digest});
  switch (decision.effect) {
    case GateEffect::kAllow:
      break;
    case GateEffect::kAsk:
      events.emplace_back(InterruptRaised{.id = next_interrupt_id(state, events),
                                          .kind = InterruptKind::kApproval,
                                          .call_id = call.call.id,
                                          .digest = digest,
                                          .text = "May the agent run " + shown(call.call) + "?"});
      break;
    case GateEffect::kDeny:
      events.push_back(refusal(
          call, ResultSource::kDenied,
          "The tool " + call.call.name + " is not allowed here. Go on without it, or say so."));
      break;
  }
}

/// The gate has to look at it: for the first time, or again because its decision is about something
/// else.
bool is_undecided(const CallState& call, const std::string& digest) {
  switch (call.status) {
    case CallStatus::kProposed:
      return true;
    case CallStatus::kAwaiting:
    case CallStatus::kAllowed:
      return call.digest != digest;
    case CallStatus::kStarted:
    case CallStatus::kFinished:
      return false;
  }
  return false;
}

/// A call that started and has no result, between stages: the process died while it ran.
bool has_unknown_outcome(const CallState& call) {
  return call.status == CallStatus::kStarted && !call.is_idempotent;
}

InterruptRaised ask_about_outcome(const CallState& call, InterruptId id) {
  return {.id = std::move(id),
          .kind = InterruptKind::kUnknownOutcome,
          .call_id = call.call.id,
          .digest = call.digest,
          .text = "The process stopped while it ran " + shown(call.call) +
                  ". Whether that took effect is unknown. Approve to run it again, reject to go on "
                  "without it, or respond with its result."};
}

bool is_runnable(const CallState& call) {
  return call.status == CallStatus::kAllowed ||
         (call.status == CallStatus::kStarted && call.is_idempotent);
}

}  // namespace

StageResult Kernel::decide_calls() {
  const std::string policy = agent_.options().policy.fingerprint();
  std::vector<EventBody> events;
  for (const CallState& call : state().run->batch) {
    if (const std::string digest = call_digest(call.call, policy); is_undecided(call, digest)) {
      decide(agent_, state(), call, digest, events);
    } else if (has_unknown_outcome(call) && !has_interrupt(state(), call)) {
      events.emplace_back(ask_about_outcome(call, next_interrupt_id(state(), events)));
    }
  }
  if (!events.empty()) {
    if (auto committed = log_.commit(std::move(events)); !committed) {
      return fail(committed.error());
    }
  }
  if (state().interrupts.empty()) {
    return Continue{};
  }
  Interrupted interrupted;
  for (const InterruptRaised& interrupt : state().interrupts) {
    interrupted.interrupts.push_back(interrupt.id);
  }
  return End{std::move(interrupted)};
}

StageResult Kernel::dispatch_calls() {
  std::int64_t fresh = 0;
  std::vector<CallId> runnable;
  for (const CallState& call : state().run->batch) {
    if (is_runnable(call)) {
      runnable.push_back(call.call.id);
      fresh += call.attempts == 0 ? 1 : 0;
    }
  }
  const auto allowed = state().run->started.limits.tool_calls;
  if (const std::int64_t used = state().run->used.tool_calls; allowed && used + fresh > *allowed) {
    return End{Stopped{.limit = LimitKind::kToolCalls, .used = used, .allowed = *allowed}};
  }
  for (const CallId& id : runnable) {
    if (auto outcome = stop_outcome()) {
      return End{std::move(*outcome)};
    }
    // The batch may have moved in memory since: look the call up again.
    if (StageResult result = dispatch(*find_call(state(), id));
        std::holds_alternative<End>(result)) {
      return result;
    }
  }
  return Continue{};
}

StageResult Kernel::dispatch(const CallState& call) {
  const AgentOptions& options = agent_.options();
  const ToolCall tool_call = call.call;
  Tool* tool = options.tools.find(tool_call.name);
  // Whatever was decided was decided about this digest. If the tool or the policy is another one
  // now, the decision holds for nothing; `resume` accepts changes only by making a new one.
  if (tool == nullptr || call.digest != call_digest(tool_call, options.policy.fingerprint())) {
    return fail(
        {.code = ErrorCode::kPermissionDenied,
         .reason = "decision_stale",
         .message = "the decision about " + tool_call.name + " was made about something else",
         .details = {}});
  }
  if (auto committed = log_.commit({ToolStarted{.call_id = tool_call.id,
                                                .is_idempotent = tool->traits().is_idempotent,
                                                .attempt = call.attempts + 1}});
      !committed) {
    return fail(committed.error());
  }
  const Json shared = state().shared;
  ToolOutcome outcome =
      run_tool(*tool, call_, {.session = log_.session(), .call_id = tool_call.id, .shared = shared},
               effective_arguments(tool_call));
  ToolFinished result = finished_event(tool_call.id, std::move(outcome), options.max_result_bytes);
  auto committed = log_.commit({result});
  if (!committed && is_about_event(committed.error())) {
    result = unstorable_event(tool_call.id, committed.error().message);
    committed = log_.commit({result});
  }
  if (!committed) {
    unsaved_result_ = std::move(result);
    return fail(committed.error());
  }
  return Continue{};
}

StageResult Kernel::propagate_state() {
  if (!state().run) {
    return Continue{};
  }
  std::vector<EventBody> events;
  for (const CallState& call : state().run->batch) {
    if (call.result && !call.is_propagated && !call.result->state_change.is_null()) {
      events.emplace_back(
          StateChanged{.patch = call.result->state_change, .from_calls = {call.call.id}});
    }
  }
  if (events.empty()) {
    return Continue{};
  }
  if (auto committed = log_.commit(std::move(events)); !committed) {
    return fail(committed.error());
  }
  return Continue{};
}

}  // namespace ingle
