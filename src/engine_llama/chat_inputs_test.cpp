#include "engine_llama/chat_inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

Message calling(const std::string& arguments, const std::string& id = "1") {
  Message message = Message::assistant("");
  message.tool_calls = {ToolCall::of_text(CallId(id), "f", arguments)};
  return message;
}

Prompt prompt_of(std::vector<Message> messages, std::vector<ToolSpec> tools = {}) {
  return {.messages = std::move(messages), .tools = std::move(tools)};
}

/// What the template is given for a call with these arguments.
std::string arguments_of(const std::string& written) {
  const auto chat = to_chat_inputs(prompt_of({calling(written)}));
  INGLE_CHECK(chat.ok(), chat.error().message);
  return chat->messages.front().tool_calls.front().arguments;
}

Json nested(int depth) {
  json value = 1;
  for (int i = 0; i < depth; ++i) {
    value = json::array({std::move(value)});
  }
  return value;
}

TEST(ChatInputs, ArgumentsAreWhatTheModelWroteAndAlwaysJson) {
  EXPECT_EQ(arguments_of(R"({ "b" : 1, "a": "\u00e9" })"), R"({ "b" : 1, "a": "\u00e9" })");
  EXPECT_EQ(arguments_of(""), "{}");
  EXPECT_EQ(arguments_of(R"({"a": )"), R"({"malformed":"{\"a\": "})");
}

TEST(ChatInputs, AllTextsAreSanitised) {
  Message message = Message::user("a\xFF");
  message.content.emplace_back(ReasoningPart{"b\xC3"});
  Message result = Message::tool_result({.id = CallId("i\xFF"), .name = "f\xFF"}, "ok");
  const auto chat = to_chat_inputs(prompt_of({message, result}, {{"g", "d\xFF", {}}}));
  ASSERT_THAT(chat, testing::IsOk());
  EXPECT_EQ(chat->messages[0].content, "a\uFFFD");
  EXPECT_EQ(chat->messages[0].reasoning_content, "b\uFFFD");
  EXPECT_EQ(chat->messages[1].tool_name, "f\uFFFD");
  EXPECT_EQ(chat->messages[1].tool_call_id, "i\uFFFD");
  EXPECT_EQ(chat->tools[0].description, "d\uFFFD");
}

TEST(ChatInputs, ToolWithoutASchemaTakesAnEmptyObject) {
  const auto chat = to_chat_inputs(prompt_of({}, {{"f", "", {}}, {"g", "", json::array()}}));
  ASSERT_THAT(chat, testing::IsOk());
  for (const common_chat_tool& tool : chat->tools) {
    EXPECT_EQ(tool.parameters, R"({"type":"object","properties":{}})");
  }
}

TEST(ChatInputs, JsonThatNestsTooDeepIsRefused) {
  ToolSpec tool{"deep", "", json{{"a", nested(127)}}};
  EXPECT_THAT(to_chat_inputs(prompt_of({}, {tool})), testing::IsOk());
  tool.parameters = json{{"a", nested(128)}};
  const auto refused = to_chat_inputs(prompt_of({}, {tool}));
  ASSERT_THAT(refused, testing::HasReason("prompt_invalid"));
  EXPECT_THAT(refused.error().message, HasSubstr("deep"));

  Message message = calling("{}");
  message.tool_calls.front().arguments = nested(129);
  EXPECT_THAT(to_chat_inputs(prompt_of({message})), testing::HasReason("prompt_invalid"));
}

common_chat_msg message_of(const std::string& role, const std::string& content) {
  common_chat_msg message;
  message.role = role;
  message.content = content;
  return message;
}

/// The arguments of a call after the guard has been at them.
std::string guarded(const std::string& arguments) {
  ChatInputs chat;
  chat.messages.push_back(message_of("assistant", ""));
  chat.messages.back().tool_calls.push_back({.name = "f", .arguments = arguments, .id = "1"});
  const MarkerSet markers({"<s>"});
  MarkupGuard guard(markers, texts_of(chat));
  guard_texts(chat, guard);
  return chat.messages.back().tool_calls.front().arguments;
}

TEST(GuardedTexts, JsonWithoutMarkersStaysByteForByte) {
  const std::string written = R"({ "b" : 1, "a": "\u00e9 < s>", "b": 2 })";
  EXPECT_EQ(guarded(written), written);
}

TEST(GuardedTexts, MarkersInJsonAreCutHoweverTheyAreWritten) {
  for (const char* written :
       {R"({"a":"<s>"})", R"({"a":"\u003cs>"})", R"({"a":["x",{"<s>":1}]})", R"("<s>")",
        // The second of two members of one name hides the first from a reader, not from a template
        // that shows the text.
        R"({"a":"<s>","a":"x"})", R"({"a":{"<s>":1},"a":2})"}) {
    const std::string text = guarded(written);
    EXPECT_THAT(text, Not(HasSubstr("<s>"))) << written;
    const auto value = json::parse(text, nullptr, false);
    ASSERT_FALSE(value.is_discarded()) << text;
    EXPECT_THAT(value.dump(), Not(HasSubstr("<s>"))) << written;
  }
}

TEST(GuardedTexts, TextThatIsNotJsonIsCutAsItStands) {
  EXPECT_THAT(guarded(R"({"a": <s>)"), Not(HasSubstr("<s>")));
}

TEST(GuardedTexts, EachTextFromOutsideIsCut) {
  ChatInputs chat;
  common_chat_msg& message = chat.messages.emplace_back(message_of("assistant", "<s>"));
  message.tool_calls = {{.name = "<s>", .arguments = "{}", .id = "<s>"}};
  message.reasoning_content = message.tool_name = message.tool_call_id = "<s>";
  chat.tools.push_back({.name = "<s>", .description = "<s>", .parameters = R"({"title":"<s>"})"});
  const MarkerSet markers({"<s>"});
  MarkupGuard guard(markers, texts_of(chat));
  guard_texts(chat, guard);
  for (const std::string_view text : texts_of(chat)) {
    EXPECT_THAT(std::string(text), Not(HasSubstr("<s>")));
  }
}

/// The schema that is left of `schema`.
json loosened_schema(const json& schema) {
  const auto tools = loosened({{.name = "f", .description = "d", .parameters = schema.dump()}});
  EXPECT_EQ(tools.front().name, "f");
  EXPECT_EQ(tools.front().description, "d");
  return json::parse(tools.front().parameters);
}

TEST(LoosenedTools, NamesTypesAndChoicesStayAndBoundsGo) {
  const json schema{{"type", "object"},
                    {"title", "T"},
                    {"minProperties", 1},
                    {"properties",
                     {{"a", {{"type", "string"}, {"maxLength", 9}, {"pattern", "^x+$"}}},
                      {"b", {{"enum", {1, 2}}, {"description", "d"}}},
                      {"c", {{"const", "x"}}}}},
                    {"required", {"a"}}};
  EXPECT_EQ(
      loosened_schema(schema),
      (json{{"type", "object"},
            {"properties",
             {{"a", {{"type", "string"}}}, {"b", {{"enum", {1, 2}}}}, {"c", {{"const", "x"}}}}},
            {"required", {"a"}}}));
}

TEST(LoosenedTools, SchemasInsideOfSchemasAreLoosenedToo) {
  const json bounded{{"type", "string"}, {"minLength", 3}};
  const json loose{{"type", "string"}};
  const auto with = [](const json& part) {
    return json{{"items", part},
                {"additionalProperties", part},
                {"anyOf", {part, part}},
                {"oneOf", {part}},
                {"$defs", {{"d", part}}},
                {"definitions", {{"d", part}}},
                {"properties", {{"maxLength", part}, {"r", {{"$ref", "#/$defs/d"}}}}}};
  };
  EXPECT_EQ(loosened_schema(with(bounded)), with(loose));
}

TEST(LoosenedTools, WhatIsNoSchemaDoesNoHarm) {
  EXPECT_EQ(loosened_schema(json{{"items", false}, {"additionalProperties", true}}),
            (json{{"items", false}, {"additionalProperties", true}}));
  EXPECT_EQ(loosened_schema(json{{"properties", 1}, {"anyOf", "x"}}), json::object());
  EXPECT_EQ(loosened({{.name = "f", .description = "", .parameters = "{"}}).front().parameters,
            "{");
}

std::vector<std::string> shown(const std::vector<common_chat_msg>& messages) {
  std::vector<std::string> lines;
  for (const common_chat_msg& message : messages) {
    lines.push_back(message.role + ":" + message.content);
  }
  return lines;
}

TEST(JoinedNeighbours, RolesTakeTurnsAndResultsStayApart) {
  std::vector<common_chat_msg> messages = {
      message_of("system", "a"), message_of("system", "b"), message_of("user", "c"),
      message_of("system", "d"), message_of("user", ""),    message_of("assistant", ""),
      message_of("tool", "e"),   message_of("tool", "f"),   message_of("assistant", "g"),
      message_of("user", "h")};
  EXPECT_TRUE(join_neighbours(messages));
  EXPECT_THAT(shown(messages), ElementsAre("system:a\n\nb", "user:c\n\nd", "assistant:", "tool:e",
                                           "tool:f", "assistant:g", "user:h"));
  EXPECT_FALSE(join_neighbours(messages));
}

TEST(JoinedNeighbours, ThoughtsAndCallsAreKept) {
  common_chat_msg first = message_of("assistant", "");
  first.reasoning_content = "hm";
  first.tool_calls = {{.name = "f", .arguments = "{}", .id = "1"}};
  common_chat_msg second = message_of("assistant", "b");
  second.reasoning_content = "so";
  second.tool_calls = {{.name = "g", .arguments = "{}", .id = "2"}};
  std::vector<common_chat_msg> messages = {first, second};
  EXPECT_TRUE(join_neighbours(messages));
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].reasoning_content, "hm\n\nso");
  ASSERT_EQ(messages[0].tool_calls.size(), 2U);
  EXPECT_EQ(messages[0].tool_calls[1].name, "g");
}

TEST(ShortCallIds, CallAndResultStillMatch) {
  const ToolCall call = ToolCall::of_text(CallId("call_0123456789"), "f", "{}");
  Message asking = Message::assistant("");
  asking.tool_calls = {call, ToolCall::of_text(CallId("Abc456789"), "f", "{}"),
                       ToolCall::of_text(CallId("call_other"), "f", "{}")};
  auto chat = to_chat_inputs(prompt_of({asking, Message::tool_result(call, "r")}));
  ASSERT_THAT(chat, testing::IsOk());
  EXPECT_TRUE(shorten_call_ids(chat->messages));
  const auto& calls = chat->messages[0].tool_calls;
  EXPECT_THAT(calls[0].id, ::testing::MatchesRegex("[a-z0-9]{9}"));
  EXPECT_EQ(calls[0].id, chat->messages[1].tool_call_id);
  EXPECT_EQ(calls[1].id, "Abc456789");
  EXPECT_NE(calls[2].id, calls[0].id);
  EXPECT_FALSE(shorten_call_ids(chat->messages));
}

}  // namespace
}  // namespace ingle
