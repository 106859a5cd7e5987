/// The three views of a conversation: transcript (all of it: `SessionState::transcript`), context
/// (what the model is shown of it) and prompt (the context as it is sent).
#pragma once

#include <string>
#include <vector>

#include "ingle/model/generation.h"
#include "ingle/session/state.h"

namespace ingle {

/// The messages that a model may be shown. Every assistant call in it has a result directly behind
/// its message: one that is missing is filled in as "not run".
[[nodiscard]] std::vector<Message> context_view(const SessionState& state);

/// The context behind the agent's instructions (a system message, unless empty), with its tools.
/// Byte-stable: what is added to the session is added at the end.
[[nodiscard]] Prompt prompt_view(const SessionState& state, const std::string& instructions,
                                 std::vector<ToolSpec> tools);

}  // namespace ingle
