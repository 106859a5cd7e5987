/// From what a tool did to what the log and the model get of it.
#pragma once

#include <cstddef>
#include <string>

#include "ingle/session/event.h"
#include "ingle/tool/tool.h"

namespace ingle {

/// Nesting that a tool's value and state change may have. Both are stored in events; the value also
/// in the outcome of a run that goes on until the tool was called, two levels down.
inline constexpr std::size_t kMaxToolValueDepth = kMaxEventDepth - 2;

/// Runs the tool; an exception becomes a ToolFailure.
ToolOutcome run_tool(Tool& tool, const Call& call, const ToolContext& context,
                     const Json& arguments);

/// The result as an event: valid UTF-8, cut to about `max_bytes` with notice. A value or state
/// change that no log can hold makes it an error.
ToolFinished finished_event(const CallId& call_id, ToolOutcome outcome, std::size_t max_bytes);

/// The error in place of a result that cannot be stored; `why` is for the model.
ToolFinished unstorable_event(const CallId& call_id, const std::string& why);

}  // namespace ingle
