/// For the tests of this module: a call as the kernel makes it.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <variant>

#include "ingle/testing/matchers.h"
#include "ingle/tool/tool_set.h"

namespace ingle::tools {

/// Checks `arguments` with the tool's schema, as nothing else reaches it, then runs it.
inline ToolOutcome run_tool(const std::shared_ptr<Tool>& tool, json arguments,
                            const Call& call = {}) {
  const auto set = ToolSet::create({tool});
  EXPECT_THAT(set, testing::IsOk());
  const ToolCall request{.id = CallId("c"),
                         .name = tool->spec().name,
                         .arguments = std::move(arguments),
                         .raw_arguments = ""};
  EXPECT_THAT(set->check(request), testing::IsOk());
  const SessionId session("s");
  const Json shared;
  return tool->run(call, {session, request.id, shared}, effective_arguments(request));
}

/// What the tool answers; a failure of the test if it fails.
inline ToolValue value_of(const std::shared_ptr<Tool>& tool, json arguments) {
  const ToolOutcome outcome = run_tool(tool, std::move(arguments));
  if (const auto* failure = std::get_if<ToolFailure>(&outcome)) {
    ADD_FAILURE() << "the tool failed: " << failure->text;
    return {};
  }
  return std::get<ToolValue>(outcome);
}

/// Why the tool failed; a failure of the test if it did not.
inline std::string failure_of(const std::shared_ptr<Tool>& tool, json arguments) {
  const ToolOutcome outcome = run_tool(tool, std::move(arguments));
  if (const auto* value = std::get_if<ToolValue>(&outcome)) {
    ADD_FAILURE() << "the tool did not fail: " << value->text;
    return "";
  }
  return std::get<ToolFailure>(outcome).text;
}

}  // namespace ingle::tools
