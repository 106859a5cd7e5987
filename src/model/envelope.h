/// The prompted protocol's markup and its constraint.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/model/generation.h"
#include "ingle/schema/constraint.h"

namespace ingle {

inline constexpr std::string_view kCallOpen = "<tool_call>";
inline constexpr std::string_view kCallClose = "</tool_call>";

enum class Prose : std::uint8_t { kAllowed, kForbidden };

/// One call as the model writes it.
[[nodiscard]] std::string envelope(const ToolCall& call);

/// A Lark grammar for a whole reply: calls of `tools` with arguments of the right shape, or prose.
[[nodiscard]] ConstraintSpec reply_grammar(const std::vector<ToolSpec>& tools, Prose prose);

/// `schema` without its optional properties: what a small model fills in best. Unchanged if it is
/// not a plain object schema.
[[nodiscard]] Json required_only(const Json& schema);

/// Only the empty object satisfies it.
[[nodiscard]] bool takes_nothing(const Json& schema);

}  // namespace ingle
