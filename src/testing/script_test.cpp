#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ingle/testing/matchers.h"
#include "ingle/testing/scripted_model.h"

namespace ingle::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ScriptedReply parsed(std::string_view line) {
  auto replies = parse_script(line);
  EXPECT_THAT(replies, IsOk());
  EXPECT_EQ(replies->size(), 1U);
  return replies->at(0);
}

TEST(ParseScript, EmptyScriptHasNoReplies) {
  EXPECT_EQ(parse_script("")->size(), 0U);
  EXPECT_EQ(parse_script("\n  \n# a comment\r\n\t# another\n")->size(), 0U);
}

TEST(ParseScript, EachLineIsAReply) {
  const auto replies =
      parse_script("{\"text\": \"a\"}\n\n# then\n{\"text\": \"b\"}\r\n{\"text\": \"c\"}");
  ASSERT_THAT(replies, IsOk());
  ASSERT_EQ(replies->size(), 3U);
  EXPECT_THAT(replies->at(2).pieces, ElementsAre("c"));
}

TEST(ParseScript, ReadsEveryMember) {
  const ScriptedReply reply = parsed(
      R"({"pieces": ["a", "b"], "reasoning": "r", "finish_reason": "length", "delay_ms": 5, )"
      R"("usage": {"prompt_tokens": 1, "cached_tokens": 2, "completion_tokens": 3}})");
  EXPECT_THAT(reply.pieces, ElementsAre("a", "b"));
  EXPECT_EQ(reply.reasoning, "r");
  EXPECT_EQ(reply.finish_reason, FinishReason::kLength);
  EXPECT_EQ(reply.delay_ms, 5);
  EXPECT_EQ(reply.usage, (Usage{1, 2, 3}));
}

TEST(ParseScript, TextAndCallsMayStandTogether) {
  const ScriptedReply reply =
      parsed(R"({"text": "let me see", )"
             R"("tool_calls": [{"name": "t", "arguments": {"x": 1}, "id": "7"}]})");
  EXPECT_THAT(reply.pieces, ElementsAre("let me see"));
  ASSERT_EQ(reply.tool_calls.size(), 1U);
  EXPECT_EQ(reply.tool_calls[0].name, "t");
  EXPECT_EQ(reply.tool_calls[0].id, CallId("7"));
  EXPECT_EQ(reply.tool_calls[0].arguments.dump(), R"({"x":1})");
}

TEST(ParseScript, ArgumentsMayBeTextAsAModelWritesIt) {
  const ScriptedReply reply = parsed(
      R"({"tool_calls": [{"name": "a", "arguments": "{\"x\": 1}"}, )"
      R"({"name": "b", "arguments": "x = 1"}, {"name": "c", "arguments": ""}, {"name": "d"}]})");
  ASSERT_EQ(reply.tool_calls.size(), 4U);
  EXPECT_EQ(reply.tool_calls[0].arguments.dump(), R"({"x":1})");
  EXPECT_EQ(reply.tool_calls[0].raw_arguments, R"({"x": 1})");
  EXPECT_TRUE(reply.tool_calls[1].arguments.is_null());
  EXPECT_EQ(reply.tool_calls[1].raw_arguments, "x = 1");
  for (std::size_t i = 2; i < 4; ++i) {
    EXPECT_TRUE(reply.tool_calls[i].arguments.is_null());
    EXPECT_EQ(reply.tool_calls[i].raw_arguments, "");
  }
}

TEST(ParseScript, ErrorsHaveACodeAndDefaults) {
  const ScriptedReply brief = parsed(R"({"error": {"code": "unavailable"}})");
  ASSERT_TRUE(brief.error.has_value());
  EXPECT_EQ(brief.error->code, ErrorCode::kUnavailable);
  EXPECT_EQ(brief.error->reason, "unavailable");
  const ScriptedReply full = parsed(R"({"error": {"code": "resource_exhausted", )"
                                    R"("reason": "context_length_exceeded", "message": "m"}})");
  EXPECT_EQ(*full.error,
            (Error{ErrorCode::kResourceExhausted, "context_length_exceeded", "m", {}}));
}

TEST(ParseScript, FaultsAreNamedWithTheirLine) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"nonsense", "not valid JSON"},
      {"[]", "must be a JSON object"},
      {"{}", "a reply needs"},
      {R"({"delay_ms": 1})", "a reply needs"},
      {R"({"txet": "a"})", "unknown member \"txet\""},
      {R"({"text": 1})", "\"text\" must be a string"},
      {R"({"text": "a", "pieces": ["a"]})", "exclude each other"},
      {R"({"pieces": "a"})", "array of strings"},
      {R"({"pieces": [1]})", "array of strings"},
      {R"({"text": "a", "finish_reason": "boredom"})", "not a finish reason"},
      {R"({"text": "a", "finish_reason": 1})", "\"finish_reason\" must be a string"},
      {R"({"text": "a", "delay_ms": -1})", "\"delay_ms\" must be an integer"},
      {R"({"text": "a", "delay_ms": 1.5})", "\"delay_ms\" must be an integer"},
      {R"({"text": "a", "usage": {"tokens": 1}})", "unknown member \"tokens\""},
      {R"({"text": "a", "usage": 3})", "\"usage\" must be a JSON object"},
      {R"({"tool_calls": {}})", "\"tool_calls\" must be an array"},
      {R"({"tool_calls": [{}]})", "needs a \"name\""},
      {R"({"tool_calls": [{"name": 1}]})", "\"name\" must be a string"},
      {R"({"tool_calls": [{"name": "t", "args": {}}]})", "unknown member \"args\""},
      {R"({"error": {}})", "not the code of an error"},
      {R"({"error": {"code": "bad_luck"}})", "\"bad_luck\" is not the code of an error"},
      {R"({"error": {"code": "internal"}, "text": "a"})", "unknown member \"text\""},
  };
  for (const auto& [line, fault] : cases) {
    const auto replies = parse_script("{\"text\": \"fine\"}\n# comment\n" + line + "\n");
    ASSERT_THAT(replies, HasReason("script_invalid")) << line;
    EXPECT_THAT(replies.error().message, HasSubstr("line 3")) << line;
    EXPECT_THAT(replies.error().message, HasSubstr(fault)) << line;
    EXPECT_EQ(replies.error().details->at("line"), 3);
  }
}

}  // namespace
}  // namespace ingle::testing
