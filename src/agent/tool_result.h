/// From what a tool did to what the log and the model get of it.
#pragma once

#include <cstddef>

#include "ingle/session/event.h"
#include "ingle/tool/tool.h"

namespace ingle {

/// Runs the tool; an exception becomes a ToolFailure.
ToolOutcome run_tool(Tool& tool, const Call& call, const ToolContext& context,
                     const Json& arguments);

/// The result as an event: valid UTF-8, cut to about `max_bytes` with notice.
ToolFinished finished_event(const CallId& call_id, const ToolOutcome& outcome,
                            std::size_t max_bytes);

}  // namespace ingle
