#include "ingle/agent/stages.h"

#include <algorithm>
#include <string>
#include <utility>

#include "ingle/agent/kernel.h"

namespace ingle {
namespace {

class CallModel final : public Stage {
 public:
  [[nodiscard]] std::string_view name() const override { return "call_model"; }
  StageResult run(Kernel& kernel, const SessionState& state) const override {
    return needs_reply(state) ? kernel.call_model() : Continue{};
  }
};

class CheckPause final : public Stage {
 public:
  [[nodiscard]] std::string_view name() const override { return "check_pause"; }
  StageResult run(Kernel& kernel, const SessionState& state) const override {
    // An answer that has arrived is an answer: there is nothing left to pause.
    if (!has_unresolved_calls(state) && !needs_reply(state)) {
      return Continue{};
    }
    if (auto reason = kernel.pause_requested()) {
      return End{Paused{std::move(*reason)}};
    }
    return Continue{};
  }
};

class CheckInterrupts final : public Stage {
 public:
  [[nodiscard]] std::string_view name() const override { return "check_interrupts"; }
  StageResult run(Kernel& kernel, const SessionState& state) const override {
    return has_unresolved_calls(state) ? kernel.decide_calls() : Continue{};
  }
};

class ExecuteTools final : public Stage {
 public:
  [[nodiscard]] std::string_view name() const override { return "execute_tools"; }
  StageResult run(Kernel& kernel, const SessionState& state) const override {
    return has_unresolved_calls(state) ? kernel.dispatch_calls() : Continue{};
  }
};

class PropagateState final : public Stage {
 public:
  [[nodiscard]] std::string_view name() const override { return "propagate_state"; }
  StageResult run(Kernel& kernel, const SessionState& /*state*/) const override {
    return kernel.propagate_state();
  }
};

/// The call did what the run was waiting for: its tool ran, or a person gave the result.
bool is_match(const CallState& call, const UntilTool& until) {
  if (!call.result || std::ranges::find(until.names, call.call.name) == until.names.end()) {
    return false;
  }
  const bool has_run = call.result->source == ResultSource::kTool ||
                       (call.result->source == ResultSource::kPerson && !call.result->is_error);
  return has_run && !(until.require_success && call.result->is_error);
}

class CheckUntilTool final : public Stage {
 public:
  [[nodiscard]] std::string_view name() const override { return "check_until_tool"; }
  StageResult run(Kernel& /*kernel*/, const SessionState& state) const override {
    if (!state.run || has_unresolved_calls(state)) {
      return Continue{};
    }
    const auto& batch = state.run->batch;
    const auto match = std::ranges::find_if(
        batch, [&](const CallState& call) { return is_match(call, state.run->started.until); });
    if (match == batch.end()) {
      return Continue{};
    }
    return End{ToolResultOutcome{.call_id = match->call.id,
                                 .tool = match->call.name,
                                 .arguments = match->call.arguments,
                                 .text = match->result->text,
                                 .value = match->result->value,
                                 .is_error = match->result->is_error}};
  }
};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

}  // namespace

std::shared_ptr<const Stage> call_model_stage() { return std::make_shared<CallModel>(); }
std::shared_ptr<const Stage> check_pause_stage() { return std::make_shared<CheckPause>(); }
std::shared_ptr<const Stage> check_interrupts_stage() {
  return std::make_shared<CheckInterrupts>();
}
std::shared_ptr<const Stage> execute_tools_stage() { return std::make_shared<ExecuteTools>(); }
std::shared_ptr<const Stage> propagate_state_stage() { return std::make_shared<PropagateState>(); }
std::shared_ptr<const Stage> check_until_tool_stage() { return std::make_shared<CheckUntilTool>(); }

Pipeline default_pipeline() {
  return {call_model_stage(),    check_pause_stage(),     check_interrupts_stage(),
          execute_tools_stage(), propagate_state_stage(), check_until_tool_stage()};
}

StageResult end_if_answered(const SessionState& state) {
  if (!state.run || has_unresolved_calls(state) || needs_reply(state)) {
    return Continue{};
  }
  if (const auto& names = state.run->started.until.names; !names.empty()) {
    return fail({.code = ErrorCode::kFailedPrecondition,
                 .reason = "until_tool_not_called",
                 .message = "the model ended without calling " + joined(names),
                 .details = {}});
  }
  return End{Completed{.text = state.transcript.empty() ? "" : state.transcript.back().text(),
                       .finish_reason = state.run->last_finish.value_or(FinishReason::kStop)}};
}

}  // namespace ingle
