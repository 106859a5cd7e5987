#include "ingle/session/limits.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "session/member_reader.h"

namespace ingle {

std::string_view to_string(LimitKind kind) {
  switch (kind) {
    case LimitKind::kModelCalls:
      return "model_calls";
    case LimitKind::kToolCalls:
      return "tool_calls";
    case LimitKind::kTokens:
      return "tokens";
    case LimitKind::kWallTime:
      return "wall_time";
    case LimitKind::kErrorSteps:
      return "error_steps";
  }
  return "";
}

Result<void> check_limits(const Limits& limits) {
  const std::pair<const char*, bool> members[] = {
      {"model_calls", limits.model_calls.value_or(0) < 0},
      {"tool_calls", limits.tool_calls.value_or(0) < 0},
      {"tokens", limits.tokens.value_or(0) < 0},
      {"wall_time", limits.wall_time && limits.wall_time->count() < 0},
      {"error_steps", limits.error_steps.value_or(0) < 0},
  };
  for (const auto& [name, is_negative] : members) {
    if (is_negative) {
      return Error{ErrorCode::kInvalidArgument,
                   "limit_out_of_range",
                   "the limit " + std::string(name) + " must not be negative",
                   {}};
    }
  }
  return {};
}

Json to_json(const Limits& limits) {
  json out = json::object();
  const auto put = [&out](const char* name, const std::optional<std::int64_t>& value) {
    if (value) {
      out[name] = *value;
    }
  };
  put("model_calls", limits.model_calls);
  put("tool_calls", limits.tool_calls);
  put("tokens", limits.tokens);
  if (limits.wall_time) {
    out["wall_time_ms"] = limits.wall_time->count();
  }
  put("error_steps", limits.error_steps);
  return out;
}

Result<Limits> limits_from_json(const Json& value) {
  session_internal::MemberReader in(*value);
  Limits limits;
  limits.model_calls = in.optional_count("model_calls");
  limits.tool_calls = in.optional_count("tool_calls");
  limits.tokens = in.optional_count("tokens");
  if (const auto milliseconds = in.optional_count("wall_time_ms")) {
    limits.wall_time = std::chrono::milliseconds(*milliseconds);
  }
  limits.error_steps = in.optional_count("error_steps");
  INGLE_RETURN_IF_ERROR(in.check());
  return limits;
}

}  // namespace ingle
