#include "cli/chat/chat_input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/line_reader_fixture.h"
#include "ingle/testing/matchers.h"

namespace ingle::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Line read(std::vector<std::string> texts) {
  FakeLines fake;
  for (std::string& text : texts) {
    fake.lines.push_back(line(std::move(text)));
  }
  FakeLineReader reader(fake);
  return read_message(reader, "> ");
}

TEST(ChatInput, ALineIsAMessage) {
  EXPECT_EQ(read({"Hello", "there"}).text, "Hello");
  EXPECT_EQ(read({""}).text, "");
}

TEST(ChatInput, ABackslashAtTheEndGoesOn) {
  EXPECT_EQ(read({"one\\", "two\\", "three", "four"}).text, "one\ntwo\nthree");
  EXPECT_EQ(read({"a \\ b", "c"}).text, "a \\ b");
}

TEST(ChatInput, ABlockIsOneMessage) {
  EXPECT_EQ(read({"\"\"\"", "one", "", "two\\", "\"\"\"", "three"}).text, "one\n\ntwo\\");
  EXPECT_EQ(read({"\"\"\"", "\"\"\""}).text, "");
}

TEST(ChatInput, APasteIsOneMessage) {
  EXPECT_EQ(read({"one\ntwo\\", "three"}).text, "one\ntwo\\");
  EXPECT_EQ(read({"see:\\", "one\ntwo\\", "three"}).text, "see:\none\ntwo\\");
}

TEST(ChatInput, AnEndWithinAMessageIsAnEnd) {
  EXPECT_EQ(read({}).end, LineEnd::kEnd);
  const Line block = read({"\"\"\"", "one"});
  EXPECT_EQ(block.end, LineEnd::kEnd);
  EXPECT_EQ(block.text, "one");
  EXPECT_EQ(read({"one\\"}).end, LineEnd::kEnd);
}

TEST(ChatInput, ContinuationsHaveAPromptOfTheirOwn) {
  FakeLines fake{.lines = {line("one\\"), line("two")}};
  FakeLineReader reader(fake);
  EXPECT_EQ(read_message(reader, "> ").text, "one\ntwo");
  ASSERT_EQ(fake.requests.size(), 2U);
  EXPECT_EQ(fake.requests[0].prompt, "> ");
  EXPECT_EQ(fake.requests[1].prompt, "... ");
}

TEST(ChatInput, TellsCommandsFromMessages) {
  const auto message = parse_chat_input("Hello /help");
  EXPECT_EQ(std::get<ChatMessage>(*message).text, "Hello /help");
  EXPECT_EQ(std::get<ChatMessage>(*parse_chat_input("//help")).text, "/help");
  const auto tools = parse_chat_input("/tools  a,b ");
  EXPECT_EQ(std::get<ChatCommand>(*tools).kind, ChatCommandKind::kTools);
  EXPECT_EQ(std::get<ChatCommand>(*tools).argument, "a,b");
  const auto system = parse_chat_input("/system Be brief.\nBe kind.");
  EXPECT_EQ(std::get<ChatCommand>(*system).argument, "Be brief.\nBe kind.");
}

TEST(ChatInput, AnUnknownCommandNamesTheNearest) {
  const auto near = parse_chat_input("/hepl me");
  ASSERT_FALSE(near);
  EXPECT_THAT(near.error().message,
              AllOf(HasSubstr("/hepl;"), HasSubstr("did you mean /help?"), HasSubstr("//hepl")));
  const auto far = parse_chat_input("/xyzzyx");
  ASSERT_FALSE(far);
  EXPECT_THAT(far.error().message, HasSubstr("/help lists them"));
}

TEST(ChatInput, SeveralLinesThatBeginWithAPathAreAMessage) {
  EXPECT_EQ(std::get<ChatMessage>(*parse_chat_input("/usr/bin/x\nWhat is it?")).text,
            "/usr/bin/x\nWhat is it?");
}

TEST(ChatInput, ArgumentsAreChecked) {
  EXPECT_THAT(parse_chat_input("/reset now"), testing::HasReason("chat_argument_unexpected"));
  EXPECT_THAT(parse_chat_input("/save"), testing::HasReason("chat_argument_missing"));
  EXPECT_THAT(parse_chat_input("/"), testing::HasReason("chat_command_unknown"));
}

TEST(ChatInput, TheHelpNamesEveryCommand) {
  for (const char* name : {"/help", "/model", "/tools", "/system", "/reset", "/save", "/session",
                           "/continue", "/quit"}) {
    EXPECT_THAT(chat_help(), HasSubstr(name));
  }
}

}  // namespace
}  // namespace ingle::cli
