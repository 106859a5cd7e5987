// The kernel's side of the model: limits, stop reasons, the round trip. Tool calls:
// kernel_calls.cpp.
#include "ingle/agent/kernel.h"

#include <algorithm>
#include <string>
#include <utility>

#include "agent/model_reply.h"
#include "ingle/session/views.h"

namespace ingle {
namespace {

Deadline wall_deadline(const SessionState& state) {
  if (!state.run || !state.run->started.limits.wall_time) {
    return {};
  }
  // A limit may be more milliseconds than the clock has nanoseconds.
  constexpr std::chrono::milliseconds kForEver = std::chrono::hours(24 * 365 * 100);
  const auto left = *state.run->started.limits.wall_time - state.run->used.wall_time;
  return Deadline::after(std::min(left, kForEver));
}

std::optional<Stopped> reached(LimitKind kind, std::optional<std::int64_t> allowed,
                               std::int64_t used) {
  if (allowed && used >= *allowed) {
    return Stopped{.limit = kind, .used = used, .allowed = *allowed};
  }
  return std::nullopt;
}

}  // namespace

Kernel::Kernel(const Agent& agent, SessionLog& log, KernelOptions options)
    : agent_(agent), log_(log), options_(std::move(options)), call_(options_.call) {
  wall_deadline_ = wall_deadline(log_.state());
  call_.deadline = call_.deadline.narrowed(wall_deadline_);
  for (const Message& message : log_.state().transcript) {
    for (const ToolCall& call : message.tool_calls) {
      call_ids_.insert(call.id);
    }
  }
}

std::optional<std::string> Kernel::pause_requested() const {
  return options_.should_pause ? options_.should_pause() : std::nullopt;
}

std::optional<Stopped> Kernel::reached_limit() const {
  const Limits& limits = state().run->started.limits;
  const LimitsUsed& used = state().run->used;
  if (auto stopped = reached(LimitKind::kModelCalls, limits.model_calls, used.model_calls)) {
    return stopped;
  }
  if (auto stopped = reached(LimitKind::kTokens, limits.tokens, used.usage.total())) {
    return stopped;
  }
  // Zero error steps in a row is where every run begins; the limit is reached by the first at the
  // least.
  if (used.error_steps > 0) {
    return reached(LimitKind::kErrorSteps, limits.error_steps, used.error_steps);
  }
  return std::nullopt;
}

std::optional<Outcome> Kernel::stop_outcome(std::string partial_text) const {
  if (call_.stop.stop_requested()) {
    const CancelReason reason = options_.cancel ? options_.cancel->reason() : CancelReason::kUser;
    return Cancelled{.reason = reason == CancelReason::kNone ? CancelReason::kUser : reason,
                     .text = std::move(partial_text)};
  }
  if (wall_deadline_.has_passed()) {
    const auto allowed = *state().run->started.limits.wall_time;
    return Stopped{
        .limit = LimitKind::kWallTime, .used = allowed.count(), .allowed = allowed.count()};
  }
  if (call_.deadline.has_passed()) {
    return Cancelled{.reason = CancelReason::kDeadline, .text = std::move(partial_text)};
  }
  return std::nullopt;
}

StageResult Kernel::call_model() {
  if (auto outcome = stop_outcome()) {
    return End{std::move(*outcome)};
  }
  if (auto stopped = reached_limit()) {
    return End{*stopped};
  }
  const AgentOptions& options = agent_.options();
  if (auto committed = log_.commit({ModelCalled{.model = options.model->info().name}});
      !committed) {
    return fail(committed.error());
  }
  NullDeltaSink null_sink;
  const Prompt prompt = prompt_view(state(), options.instructions, options.tools.specs());
  Result<Completion> completion =
      ask_model(*options.model, call_, prompt, options.generation,
                options_.deltas != nullptr ? *options_.deltas : null_sink);
  if (!completion) {
    if (auto outcome = stop_outcome()) {
      return End{std::move(*outcome)};
    }
    return fail(completion.error());
  }

  Message& reply = completion->message;
  const std::string text = reply.text();
  const bool is_cancelled = completion->finish_reason == FinishReason::kCancelled;
  // A reply that was cancelled before its first word is no message: the call is repeated on resume.
  if (!is_cancelled || !text.empty()) {
    give_unique_ids(reply);
    auto committed = log_.commit({ModelReplied{.message = std::move(reply),
                                               .finish_reason = completion->finish_reason,
                                               .usage = completion->usage,
                                               .warnings = std::move(completion->warnings)}});
    if (!committed) {
      return fail(committed.error());
    }
  }
  if (is_cancelled) {
    // An engine may stop for a reason of its own; that is a cancellation too.
    return End{stop_outcome(text).value_or(Cancelled{.reason = CancelReason::kUser, .text = text})};
  }
  return Continue{};
}

void Kernel::give_unique_ids(Message& reply) {
  std::int64_t index = 0;
  for (ToolCall& call : reply.tool_calls) {
    ++index;
    if (call.id.empty() || call_ids_.contains(call.id)) {
      // Derived from the log, so that the same log gives the same id.
      call.id = CallId("call_" + std::to_string(state().replies + 1) + "_" + std::to_string(index));
      while (call_ids_.contains(call.id)) {
        call.id = CallId(call.id.str() + "x");
      }
    }
    call_ids_.insert(call.id);
  }
}

Result<void> Kernel::set_mode_state(Json mode_state) {
  // Moved, not from a list, which copies: it may be too deep for that.
  std::vector<EventBody> events;
  events.emplace_back(ModeStateSet{std::move(mode_state)});
  return log_.commit(std::move(events));
}

}  // namespace ingle
