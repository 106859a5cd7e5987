/// Closing what a run leaves pending.
#pragma once

#include <string>
#include <vector>

#include "ingle/session/event.h"
#include "ingle/session/state.h"

namespace ingle {

/// Events that give every unresolved call a result ("not run") and close every open interrupt, so
/// that no call is left without a result in what the model sees. `why` completes "Not run: ...".
std::vector<EventBody> closing_events(const SessionState& state, const std::string& why);

}  // namespace ingle
