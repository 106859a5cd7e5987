#include "ingle/model/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ingle {
namespace {

using testing::HasSubstr;

ToolCall read_file_call() { return {CallId("c1"), "read_file", json{{"path", "a.txt"}}, ""}; }

Message reply_with_everything() {
  Message message;
  message.role = Role::kAssistant;
  message.content = {ReasoningPart{"hm, "}, TextPart{"I look. "}, ReasoningPart{"a file"},
                     TextPart{"Wait."}};
  message.tool_calls = {read_file_call(), {CallId("c2"), "odd", Json(), "{not json"}};
  return message;
}

TEST(Message, TextAndReasoningAreJoinedApart) {
  EXPECT_EQ(reply_with_everything().text(), "I look. Wait.");
  EXPECT_EQ(reply_with_everything().reasoning(), "hm, a file");
}

TEST(Message, ToolResultAnswersItsCall) {
  const Message message = Message::tool_result(read_file_call(), "no such file", true);
  EXPECT_EQ(message.role, Role::kTool);
  EXPECT_EQ(message.tool_call_id, CallId("c1"));
  EXPECT_EQ(message.tool_name, "read_file");
  EXPECT_TRUE(message.is_error);
  EXPECT_EQ(message.text(), "no such file");
}

TEST(MessageJson, EveryMessageComesBackEqual) {
  const std::vector<Message> messages = {
      Message::system("be brief"),
      Message::user("h\xC3\xA9"),
      Message::assistant(""),
      Message::tool_result(read_file_call(), "text"),
      Message::tool_result(read_file_call(), "text", true),
      reply_with_everything(),
      Message{},
  };
  for (const Message& message : messages) {
    const Json written = to_json(message);
    const auto read = message_from_json(written);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, message) << written.dump();
  }
}

TEST(MessageJson, ShapeIsTheDocumentedOne) {
  EXPECT_EQ(to_json(Message::user("hi")).dump(),
            R"({"content":[{"text":"hi","type":"text"}],"role":"user"})");
  EXPECT_EQ(to_json(Message::tool_result(read_file_call(), "x", true)).dump(),
            R"({"content":[{"text":"x","type":"text"}],"is_error":true,"role":"tool",)"
            R"("tool_call_id":"c1","tool_name":"read_file"})");
  EXPECT_EQ(to_json(read_file_call()).dump(),
            R"({"arguments":{"path":"a.txt"},"id":"c1","name":"read_file"})");
}

TEST(MessageJson, UnknownMembersAreIgnored) {
  const auto read = message_from_json(json{{"role", "user"}, {"later", 1}});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, Message{});
}

TEST(MessageJson, InvalidInputNamesTheMember) {
  const std::vector<std::pair<json, std::string>> cases = {
      {json::array(), "must be an object"},
      {json{{"content", json::array()}}, "\"role\" is missing"},
      {json{{"role", 1}}, "\"role\" must be a string"},
      {json{{"role", "robot"}}, "\"role\" must be"},
      {json{{"role", "user"}, {"content", "hi"}}, "\"content\" must be an array"},
      {json{{"role", "user"}, {"content", {"hi"}}}, "\"content\" must be an object"},
      {json{{"role", "user"}, {"content", {{{"type", "text"}}}}}, "\"text\" is missing"},
      {json{{"role", "user"}, {"content", {{{"type", "x"}, {"text", ""}}}}}, "\"type\""},
      {json{{"role", "user"}, {"tool_calls", {{{"name", "f"}}}}}, "\"tool_calls\""},
      {json{{"role", "assistant"}, {"tool_calls", {json::object()}}}, "\"name\" is missing"},
      {json{{"role", "assistant"}, {"tool_calls", {1}}}, "tool call must be an object"},
      {json{{"role", "tool"}}, "\"tool_call_id\" is missing"},
      {json{{"role", "tool"}, {"tool_call_id", "c"}}, "\"tool_name\" is missing"},
      {json{{"role", "tool"}, {"tool_call_id", "c"}, {"tool_name", "f"}, {"is_error", 1}},
       "\"is_error\""},
  };
  for (const auto& [value, text] : cases) {
    const auto read = message_from_json(value);
    ASSERT_FALSE(read.ok()) << value.dump();
    EXPECT_EQ(read.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(read.error().reason, "message_invalid");
    EXPECT_THAT(read.error().message, HasSubstr(text));
  }
}

}  // namespace
}  // namespace ingle
