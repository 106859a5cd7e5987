/// Format: docs/formats/events.md, "Outcomes".
#include "ingle/session/outcome.h"

#include <array>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "session/member_reader.h"

namespace ingle {
namespace {

using session_internal::MemberReader;

constexpr LimitKind kLimitKinds[] = {LimitKind::kModelCalls, LimitKind::kToolCalls,
                                     LimitKind::kTokens, LimitKind::kWallTime,
                                     LimitKind::kErrorSteps};
constexpr CancelReason kCancelReasons[] = {CancelReason::kNone,      CancelReason::kUser,
                                           CancelReason::kDeadline,  CancelReason::kSuperseded,
                                           CancelReason::kAbandoned, CancelReason::kShutdown};

/// In the order of the variant's alternatives.
constexpr std::array<std::string_view, std::variant_size_v<Outcome>> kNames = {
    "completed", "tool_result", "interrupted", "paused", "stopped", "cancelled", "failed"};

// One pair of functions per outcome, without the member "outcome".

json members(const Completed& outcome) {
  return {{"text", outcome.text}, {"finish_reason", to_string(outcome.finish_reason)}};
}
void read(MemberReader& in, Completed& outcome) {
  outcome.text = in.string("text");
  outcome.finish_reason = in.finish_reason("finish_reason");
}

json members(const ToolResultOutcome& outcome) {
  return {{"call_id", outcome.call_id.str()}, {"tool", outcome.tool},
          {"arguments", *outcome.arguments},  {"text", outcome.text},
          {"value", *outcome.value},          {"is_error", outcome.is_error}};
}
void read(MemberReader& in, ToolResultOutcome& outcome) {
  outcome.call_id = in.id<CallId>("call_id");
  outcome.tool = in.string("tool");
  outcome.arguments = in.any("arguments");
  outcome.text = in.string("text");
  outcome.value = in.any("value");
  outcome.is_error = in.boolean("is_error");
}

json members(const Interrupted& outcome) {
  json ids = json::array();
  for (const InterruptId& id : outcome.interrupts) {
    ids.push_back(id.str());
  }
  return {{"interrupts", std::move(ids)}};
}
void read(MemberReader& in, Interrupted& outcome) {
  outcome.interrupts = in.ids<InterruptId>("interrupts");
}

json members(const Paused& outcome) { return {{"reason", outcome.reason}}; }
void read(MemberReader& in, Paused& outcome) { outcome.reason = in.string("reason"); }

json members(const Stopped& outcome) {
  return {
      {"limit", to_string(outcome.limit)}, {"used", outcome.used}, {"allowed", outcome.allowed}};
}
void read(MemberReader& in, Stopped& outcome) {
  outcome.limit = in.one_of("limit", kLimitKinds);
  outcome.used = in.integer("used");
  outcome.allowed = in.integer("allowed");
}

json members(const Cancelled& outcome) {
  return {{"reason", to_string(outcome.reason)}, {"text", outcome.text}};
}
void read(MemberReader& in, Cancelled& outcome) {
  outcome.reason = in.one_of("reason", kCancelReasons);
  outcome.text = in.string("text");
}

json members(const Failed& outcome) { return {{"error", *outcome.error.to_json()}}; }
void read(MemberReader& in, Failed& outcome) {
  if (const json* error = in.object("error")) {
    outcome.error = Error::from_json(*error);
  }
}

/// Reads the alternative with this name; false when there is none.
template <std::size_t... kIndex>
bool read_named(std::string_view name, MemberReader& in, Outcome& out,
                std::index_sequence<kIndex...>) {
  return ((name == kNames[kIndex] && (read(in, out.emplace<kIndex>()), true)) || ...);
}

}  // namespace

std::string_view outcome_name(const Outcome& outcome) { return kNames[outcome.index()]; }

bool is_resumable(const Outcome& outcome) {
  return std::holds_alternative<Interrupted>(outcome) || std::holds_alternative<Paused>(outcome);
}

Json to_json(const Outcome& outcome) {
  json out = std::visit([](const auto& kind) { return members(kind); }, outcome);
  out["outcome"] = outcome_name(outcome);
  return out;
}

Result<Outcome> outcome_from_json(const Json& value) {
  MemberReader in(*value);
  Outcome outcome;
  const std::string name = in.string("outcome");
  if (!read_named(name, in, outcome, std::make_index_sequence<kNames.size()>())) {
    in.fail("outcome", "has an unknown value");
  }
  INGLE_RETURN_IF_ERROR(in.check());
  return outcome;
}

}  // namespace ingle
