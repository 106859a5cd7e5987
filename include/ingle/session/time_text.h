/// Times as text: ISO 8601 in UTC with milliseconds, "2026-11-30T18:56:42.123Z".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ingle/core/clock.h"

namespace ingle {

/// Exact for the years 0000 to 9999; times outside become the nearest one inside.
[[nodiscard]] std::string format_time(Timestamp time);

/// Takes exactly the form that `format_time` gives; anything else is nothing.
[[nodiscard]] std::optional<Timestamp> parse_time(std::string_view text);

}  // namespace ingle
