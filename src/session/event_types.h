/// Names of the event types that this version knows.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <variant>

#include "ingle/session/event.h"

namespace ingle::session_internal {

inline constexpr std::size_t kKnownEventTypes = std::variant_size_v<EventBody> - 1;

/// In the order of the alternatives of `EventBody`, of which `UnknownEvent` is the last.
inline constexpr std::array<std::string_view, kKnownEventTypes> kEventTypes = {
    "session_started", "message_added", "run_started",      "run_resumed",        "model_called",
    "model_replied",   "gate_decided",  "interrupt_raised", "interrupt_resolved", "tool_started",
    "tool_finished",   "state_changed", "mode_state_set",   "run_ended"};

static_assert(
    std::is_same_v<std::variant_alternative_t<kKnownEventTypes, EventBody>, UnknownEvent>);

}  // namespace ingle::session_internal
