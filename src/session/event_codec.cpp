/// Format, version 1: docs/formats/events.md.
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "ingle/session/event.h"
#include "ingle/session/time_text.h"
#include "session/event_depth.h"
#include "session/event_types.h"
#include "session/member_reader.h"

namespace ingle {
namespace {

using session_internal::invalid_event;
using session_internal::kEventTypes;
using session_internal::MemberReader;

constexpr GateEffect kGateEffects[] = {GateEffect::kAllow, GateEffect::kAsk, GateEffect::kDeny};
constexpr InterruptKind kInterruptKinds[] = {InterruptKind::kApproval,
                                             InterruptKind::kUnknownOutcome};
constexpr InterruptDecision kInterruptDecisions[] = {
    InterruptDecision::kApprove, InterruptDecision::kReject, InterruptDecision::kRespond};
constexpr ResultSource kResultSources[] = {ResultSource::kTool, ResultSource::kInvalid,
                                           ResultSource::kDenied, ResultSource::kPerson,
                                           ResultSource::kSuperseded};

json usage_json(const Usage& usage) {
  return {{"prompt_tokens", usage.prompt_tokens},
          {"cached_tokens", usage.cached_tokens},
          {"completion_tokens", usage.completion_tokens}};
}

// One pair of functions per event type: its members without the envelope.

json members(const SessionStarted& event) {
  return {{"version", event.version}, {"agent", event.agent}};
}
void read(MemberReader& in, SessionStarted& event) {
  event.version = in.integer("version");
  event.agent = in.string("agent");
}

json members(const MessageAdded& event) { return {{"message", *to_json(event.message)}}; }
void read(MemberReader& in, MessageAdded& event) {
  event.message = in.take("message", message_from_json(in.any("message")));
}

json members(const RunStarted& event) {
  json started = {
      {"run", event.run.str()},
      {"model", event.model},
      {"mode", event.mode},
      {"limits", *to_json(event.limits)},
      {"until", {{"names", event.until.names}, {"require_success", event.until.require_success}}},
      {"tool_fingerprints", event.tool_fingerprints},
      {"policy_fingerprint", event.policy_fingerprint}};
  if (!event.settings.is_null()) {
    started["settings"] = event.settings;
  }
  return started;
}
void read(MemberReader& in, RunStarted& event) {
  event.run = in.id<RunId>("run");
  event.model = in.string("model");
  event.mode = in.string("mode");
  event.limits = in.take("limits", limits_from_json(in.any("limits")));
  if (const json* until = in.object("until")) {
    MemberReader inner(*until);
    event.until.names = inner.strings("names");
    event.until.require_success = inner.boolean("require_success");
    if (const auto result = inner.check(); !result) {
      in.fail("until", "is invalid: " + result.error().message);
    }
  }
  event.tool_fingerprints = in.string_map("tool_fingerprints");
  event.policy_fingerprint = in.string("policy_fingerprint");
  event.settings = in.any("settings");
}

json members(const RunResumed& event) {
  return {{"run", event.run.str()},
          {"tool_fingerprints", event.tool_fingerprints},
          {"policy_fingerprint", event.policy_fingerprint}};
}
void read(MemberReader& in, RunResumed& event) {
  event.run = in.id<RunId>("run");
  event.tool_fingerprints = in.string_map("tool_fingerprints");
  event.policy_fingerprint = in.string("policy_fingerprint");
}

json members(const ModelCalled& event) { return {{"model", event.model}}; }
void read(MemberReader& in, ModelCalled& event) { event.model = in.string("model"); }

json members(const ModelReplied& event) {
  return {{"message", *to_json(event.message)},
          {"finish_reason", to_string(event.finish_reason)},
          {"usage", usage_json(event.usage)},
          {"warnings", event.warnings}};
}
void read(MemberReader& in, ModelReplied& event) {
  event.message = in.take("message", message_from_json(in.any("message")));
  event.finish_reason = in.finish_reason("finish_reason");
  event.usage = in.usage("usage");
  event.warnings = in.strings("warnings");
}

json members(const GateDecided& event) {
  return {{"call_id", event.call_id.str()},
          {"effect", to_string(event.effect)},
          {"rule", event.rule},
          {"digest", event.digest}};
}
void read(MemberReader& in, GateDecided& event) {
  event.call_id = in.id<CallId>("call_id");
  event.effect = in.one_of("effect", kGateEffects);
  event.rule = in.string("rule");
  event.digest = in.string("digest");
}

json members(const InterruptRaised& event) {
  return {{"id", event.id.str()},
          {"kind", to_string(event.kind)},
          {"call_id", event.call_id.str()},
          {"digest", event.digest},
          {"text", event.text}};
}
void read(MemberReader& in, InterruptRaised& event) {
  event.id = in.id<InterruptId>("id");
  event.kind = in.one_of("kind", kInterruptKinds);
  event.call_id = in.id<CallId>("call_id");
  event.digest = in.string("digest");
  event.text = in.string("text");
}

json members(const InterruptResolved& event) {
  return {{"id", event.id.str()}, {"decision", to_string(event.decision)}, {"text", event.text}};
}
void read(MemberReader& in, InterruptResolved& event) {
  event.id = in.id<InterruptId>("id");
  event.decision = in.one_of("decision", kInterruptDecisions);
  event.text = in.string("text");
}

json members(const ToolStarted& event) {
  return {{"call_id", event.call_id.str()},
          {"is_idempotent", event.is_idempotent},
          {"attempt", event.attempt}};
}
void read(MemberReader& in, ToolStarted& event) {
  event.call_id = in.id<CallId>("call_id");
  event.is_idempotent = in.boolean("is_idempotent");
  event.attempt = in.integer("attempt");
}

json members(const ToolFinished& event) {
  return {{"call_id", event.call_id.str()}, {"source", to_string(event.source)},
          {"is_error", event.is_error},     {"text", event.text},
          {"value", *event.value},          {"state_change", *event.state_change}};
}
void read(MemberReader& in, ToolFinished& event) {
  event.call_id = in.id<CallId>("call_id");
  event.source = in.one_of("source", kResultSources);
  event.is_error = in.boolean("is_error");
  event.text = in.string("text");
  event.value = in.any("value");
  event.state_change = in.any("state_change");
}

json members(const StateChanged& event) {
  json calls = json::array();
  for (const CallId& id : event.from_calls) {
    calls.push_back(id.str());
  }
  return {{"patch", *event.patch}, {"from_calls", std::move(calls)}};
}
void read(MemberReader& in, StateChanged& event) {
  event.patch = in.any("patch");
  event.from_calls = in.ids<CallId>("from_calls");
}

json members(const ModeStateSet& event) { return {{"state", *event.state}}; }
void read(MemberReader& in, ModeStateSet& event) { event.state = in.any("state"); }

json members(const RunEnded& event) {
  return {{"run", event.run.str()}, {"outcome", *to_json(event.outcome)}};
}
void read(MemberReader& in, RunEnded& event) {
  event.run = in.id<RunId>("run");
  event.outcome = in.take("outcome", outcome_from_json(in.any("outcome")));
}

/// Reads the alternative with this type; false when there is none.
template <std::size_t... kIndex>
bool read_known(std::string_view type, MemberReader& in, EventBody& out,
                std::index_sequence<kIndex...>) {
  return ((type == kEventTypes[kIndex] && (read(in, out.emplace<kIndex>()), true)) || ...);
}

}  // namespace

Json to_json(const Event& event) {
  return std::visit(
      [&event](const auto& body) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(body)>, UnknownEvent>) {
          return body.content;
        } else {
          json out = members(body);
          out["seq"] = event.seq;
          out["time"] = format_time(event.time);
          out["type"] = event_type(event.body);
          return out;
        }
      },
      event.body);
}

Result<Event> event_from_json(const Json& value) {
  MemberReader in(*value);
  Event event;
  event.seq = in.integer("seq");
  event.time = in.time("time");
  const std::string type = in.string("type");
  INGLE_RETURN_IF_ERROR(in.check());
  if (!read_known(type, in, event.body, std::make_index_sequence<kEventTypes.size()>())) {
    event.body = UnknownEvent{type, value};
  }
  if (const auto result = in.check(); !result) {
    return result.error().context("event " + std::to_string(event.seq) + ", " + type);
  }
  return event;
}

Result<std::string> encode_event(const Event& event) {
  const auto too_large = [&event](const std::string& how) {
    return Error{ErrorCode::kInvalidArgument,
                 "event_too_large",
                 "the event " + std::to_string(event.seq) + " " + how,
                 {}};
  };
  const auto too_deep = [&too_large] {
    return too_large("is nested deeper than " + std::to_string(kMaxEventDepth) + " levels");
  };
  // Before it is copied, which recurses.
  if (session_internal::values_depth(event.body) > kMaxEventDepth) {
    return too_deep();
  }
  const Json value = to_json(event);
  if (json_depth(value) > kMaxEventDepth) {
    return too_deep();
  }
  std::string text = value.dump();
  if (text.size() > kMaxEventBytes) {
    return too_large("has more than " + std::to_string(kMaxEventBytes) + " bytes");
  }
  return text;
}

Result<Event> decode_event(std::string_view text) {
  const auto value = parse_json(text, {.max_bytes = kMaxEventBytes, .max_depth = kMaxEventDepth});
  if (!value) {
    return invalid_event(value.error().message).because(value.error());
  }
  return event_from_json(*value);
}

}  // namespace ingle
