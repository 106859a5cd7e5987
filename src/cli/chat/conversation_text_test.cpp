#include "cli/chat/conversation_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "ingle/testing/matchers.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

SessionState state_of(std::vector<Message> messages) {
  SessionState state;
  state.transcript = std::move(messages);
  return state;
}

SessionState conversation() {
  const ToolCall call{.id = CallId("c"), .name = "look", .arguments = json{{"path", "a.md"}}};
  Message asks = Message::assistant("I look.");
  asks.content.insert(asks.content.begin(), ReasoningPart{"First\nlook."});
  asks.tool_calls = {call};
  return state_of({Message::user("What is in a.md?"), asks,
                   Message::tool_result(call, "```\ncode\n```\n"), Message::assistant("Code.")});
}

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(ConversationText, MarkdownHasEveryMessage) {
  EXPECT_EQ(conversation_markdown(SessionId("s"), conversation(), Timestamp{}),
            "# Conversation s\n\nSaved 1970-01-01T00:00:00.000Z.\n"
            "\n## You\n\nWhat is in a.md?\n"
            "\n## Assistant\n\n> First\n> look.\n\nI look.\n"
            "\n### Call of look\n\n```json\n{\n  \"path\": \"a.md\"\n}\n```\n"
            "\n### Result of look\n\n````\n```\ncode\n```\n````\n"
            "\n## Assistant\n\nCode.\n");
}

TEST(ConversationText, JsonHasTheMessagesOfTheLog) {
  const SessionState state = conversation();
  const json whole =
      json::parse(conversation_json(SessionId("s"), state, Timestamp{}), nullptr, false);
  EXPECT_EQ(whole.at("session"), "s");
  ASSERT_EQ(whole.at("messages").size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(*message_from_json(whole.at("messages").at(i)), state.transcript[i]);
  }
}

TEST(ConversationText, ARecapIsTheLastTurnsShortened) {
  std::vector<Message> messages{Message::user("one"), Message::assistant("1")};
  const auto last = conversation().transcript;
  messages.push_back(Message::user("two"));
  messages.push_back(Message::assistant(std::string(500, 'x') + "\n2\n3\n4\n5\n6"));
  messages.insert(messages.end(), last.begin(), last.end());
  const std::string text = recap(state_of(messages), {.is_lively = false, .width = 30});
  EXPECT_EQ(text, "... 2 earlier messages\n> two\n" + std::string(26, 'x') +
                      "...\n2\n3\n4\n...\n> What is in a.md?\nI look.\n"
                      "-> look {\"path\":\"a.md\"}\n<- 13 bytes\nCode.\n");
}

TEST(ConversationText, ARecapIsSafeOnATerminal) {
  const SessionState state = state_of({Message::user("\x1b[2J"), Message::assistant("a\rb")});
  EXPECT_EQ(recap(state, {}), "> \\x1b[2J\na\\x0db\n");
  EXPECT_EQ(recap(state_of({}), {}), "");
}

TEST(ConversationText, ANewFileIsNeverAnOldOne) {
  const testing::TempDir folder;
  const auto path = folder.path() / "talk.md";
  EXPECT_TRUE(write_new_file(path, "one"));
  const auto again = write_new_file(path, "two");
  EXPECT_THAT(again, testing::HasReason("file_exists"));
  EXPECT_EQ(content(path), "one");
  EXPECT_TRUE(replace_file(path, "two"));
  EXPECT_EQ(content(path), "two");
}

TEST(ConversationText, AFileThatCannotBeWrittenIsNamed) {
  const testing::TempDir folder;
  const auto path = folder.path() / "missing" / "talk.md";
  const auto written = write_new_file(path, "one");
  ASSERT_THAT(written, testing::HasReason("file_failed"));
  EXPECT_THAT(written.error().message, HasSubstr(path.string()));
  EXPECT_THAT(replace_file(path, "one"), testing::HasReason("file_failed"));
}

}  // namespace
}  // namespace ingle::cli
