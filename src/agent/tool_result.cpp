#include "agent/tool_result.h"

#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>

#include "ingle/core/utf8.h"

namespace ingle {
namespace {

std::string cut(std::string text, std::size_t max_bytes) {
  text = sanitize_utf8(text);
  const std::string_view head = truncate_utf8(text, max_bytes);
  if (head.size() == text.size()) {
    return text;
  }
  return std::string(head) + "\n[cut: the first " + std::to_string(head.size()) + " of " +
         std::to_string(text.size()) + " bytes are shown]";
}

}  // namespace

ToolOutcome run_tool(Tool& tool, const Call& call, const ToolContext& context,
                     const Json& arguments) {
  try {
    return tool.run(call, context, arguments);
  } catch (const std::exception& exception) {
    return ToolFailure{"The tool " + tool.spec().name + " failed: " + exception.what()};
  } catch (...) {
    return ToolFailure{"The tool " + tool.spec().name + " failed."};
  }
}

ToolFinished finished_event(const CallId& call_id, const ToolOutcome& outcome,
                            std::size_t max_bytes) {
  ToolFinished event{.call_id = call_id,
                     .source = ResultSource::kTool,
                     .is_error = false,
                     .text = {},
                     .value = {},
                     .state_change = {}};
  const auto* value = std::get_if<ToolValue>(&outcome);
  if (value != nullptr && !value->state_change.is_null() && !value->state_change->is_object()) {
    // A merge patch of an object is an object; another one would be refused by the fold.
    event.is_error = true;
    event.text =
        "The tool asked for a state change that is not a JSON object; nothing was changed.";
  } else if (value != nullptr) {
    event.text = cut(value->text, max_bytes);
    event.value = value->value;
    event.state_change = value->state_change;
  } else {
    event.is_error = true;
    event.text = cut(std::get<ToolFailure>(outcome).text, max_bytes);
  }
  return event;
}

}  // namespace ingle
