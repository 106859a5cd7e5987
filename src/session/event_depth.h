/// How deep the JSON inside an event goes, found out before anything copies it.
#pragma once

#include <cstddef>

#include "ingle/session/event.h"

namespace ingle::session_internal {

/// Nesting of the deepest value that `body` carries. Does not recurse: copying, comparing and
/// writing JSON do, and would overflow the stack on what a tool or a model made deep enough.
[[nodiscard]] std::size_t values_depth(const EventBody& body);

}  // namespace ingle::session_internal
