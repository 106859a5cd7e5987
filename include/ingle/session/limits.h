/// Bounds on one run, and how much of them is used. Values, all JSON.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "ingle/core/json.h"
#include "ingle/core/result.h"
#include "ingle/model/generation.h"

namespace ingle {

/// What bounded a run.
enum class LimitKind : std::uint8_t { kModelCalls, kToolCalls, kTokens, kWallTime, kErrorSteps };

[[nodiscard]] std::string_view to_string(LimitKind kind);

/// Checked before each model call and before each batch of tools, never in the middle: an answer
/// that arrives on the last allowed call is the answer. They hold over resumes. Unset: no bound.
struct Limits {
  std::optional<std::int64_t> model_calls = 50;  ///< Model calls of the run.
  std::optional<std::int64_t> tool_calls = {};   ///< Tools started.
  std::optional<TokenCount> tokens = {};         ///< Prompt and completion tokens together.
  std::optional<std::chrono::milliseconds> wall_time = {};  ///< Time spent in `run` and `resume`;
                                                            ///< cancels the call that is under way.
  std::optional<std::int64_t> error_steps = 3;  ///< Steps in a row in which no call succeeded.

  bool operator==(const Limits&) const = default;
};

/// Errors: invalid_argument "limit_out_of_range" naming the member, when one is negative.
Result<void> check_limits(const Limits& limits);

struct LimitsUsed {
  std::int64_t model_calls = 0;
  std::int64_t tool_calls = 0;
  Usage usage = {};
  std::chrono::milliseconds wall_time{
      0};                        ///< Of earlier `run` and `resume` calls; the present one not.
  std::int64_t error_steps = 0;  ///< In a row, up to now.

  bool operator==(const LimitsUsed&) const = default;
};

/// Only the limits that are set; "wall_time_ms" for `wall_time`.
[[nodiscard]] Json to_json(const Limits& limits);
/// A limit that is absent or null is not set, whatever the default above.
/// Errors: data_loss "event_invalid", naming the member.
Result<Limits> limits_from_json(const Json& value);

}  // namespace ingle
