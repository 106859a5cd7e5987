/// Closing what a run leaves pending, and what was to be stored and could not be.
#pragma once

#include <string>
#include <vector>

#include "ingle/session/event.h"
#include "ingle/session/state.h"

namespace ingle {

/// Events that give every unresolved call a result ("not run") and close every open interrupt, so
/// that no call is left without a result in what the model sees. `why` completes "Not run: ...".
/// `known` (null: none) is the result that one of the calls has, though it is not in the log.
std::vector<EventBody> closing_events(const SessionState& state, const std::string& why,
                                      const ToolFinished* known = nullptr);

/// The error of a commit is the event's and not the store's: another event in its place can be
/// stored.
[[nodiscard]] bool is_about_event(const Error& error);

}  // namespace ingle
