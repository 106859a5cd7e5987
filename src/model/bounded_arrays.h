/// Small models do not know when a list is over: they repeat its last element until they are
/// stopped.
#pragma once

#include <cstddef>

#include "ingle/core/json.h"

namespace ingle {

/// `schema` with a bound for each list that has none.
[[nodiscard]] Json with_bounded_arrays(const Json& schema, std::size_t max_items);

/// `value` with each list that has reached the bound - `max_items` elements or more - cut down to
/// its different elements, in their order.
[[nodiscard]] Json without_loops(const Json& value, std::size_t max_items);

}  // namespace ingle
