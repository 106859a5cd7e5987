/// What a chat logs beside its settings: how far a scripted model had come when a run began, since
/// one script serves many runs there.
#pragma once

#include <cstddef>

#include "cli/agent_parts.h"
#include "ingle/core/json.h"

namespace ingle::cli {

/// The settings as they are logged with a run.
[[nodiscard]] Json chat_settings(const AgentParts& parts, std::size_t played_replies);

/// Replies that were played before the run with these logged settings; 0 where none are logged.
[[nodiscard]] std::size_t replies_before_run(const Json& logged);

}  // namespace ingle::cli
