/// Which parameters of a tool a question speaks of.
#pragma once

#include <string_view>

#include "ingle/core/json.h"

namespace ingle {

/// `schema`, a plain object schema, with the parameters that a small model should fill in: those
/// required, and those that `question` speaks of, which become required. An optional parameter is
/// spoken of when a value of its enum is said (its default alone does not count), when it is a
/// number or a switch whose name is said, numbers being left, or when it is a text whose whole name
/// is said. A
/// switch that is spoken of is on, unless something is denied. Of an enum whose values are said
/// only those are left, of a list of such they are the list. Anything else is returned as it is.
[[nodiscard]] Json said_parameters(const Json& schema, std::string_view question);

}  // namespace ingle
