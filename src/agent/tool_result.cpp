#include "agent/tool_result.h"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
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

ToolFinished error_event(const CallId& call_id, std::string text) {
  return {.call_id = call_id,
          .source = ResultSource::kTool,
          .is_error = true,
          .text = std::move(text),
          .value = {},
          .state_change = {}};
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

ToolFinished finished_event(const CallId& call_id, ToolOutcome outcome, std::size_t max_bytes) {
  if (const auto* failure = std::get_if<ToolFailure>(&outcome)) {
    return error_event(call_id, cut(failure->text, max_bytes));
  }
  auto& value = std::get<ToolValue>(outcome);
  if (!value.state_change.is_null() && !value.state_change->is_object()) {
    // A merge patch of an object is an object; another one would be refused by the fold.
    return error_event(
        call_id,
        "The tool asked for a state change that is not a JSON object; nothing was changed.");
  }
  // Before either is copied, which recurses.
  const std::size_t depth = std::max(json_depth(value.value), json_depth(value.state_change));
  if (depth > kMaxToolValueDepth) {
    return unstorable_event(call_id, "it is nested " + std::to_string(depth) +
                                         " levels deep, and " + std::to_string(kMaxToolValueDepth) +
                                         " are the most");
  }
  return {.call_id = call_id,
          .source = ResultSource::kTool,
          .is_error = false,
          .text = cut(std::move(value.text), max_bytes),
          .value = std::move(value.value),
          .state_change = std::move(value.state_change)};
}

ToolFinished unstorable_event(const CallId& call_id, const std::string& why) {
  return error_event(
      call_id, "The tool ran, but what it returned cannot be kept: " + sanitize_utf8(why) + ".");
}

}  // namespace ingle
