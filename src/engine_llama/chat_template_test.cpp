#include "engine_llama/chat_template.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "engine_llama/model_fixture.h"
#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

using testing::HasErrorCode;
using testing::HasReason;
using ::testing::HasSubstr;
using testing::IsOkAndHolds;

constexpr const char* kSimple =
    "{{ bos_token }}{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}";

ChatTemplate make(const ChatTemplateOptions& options) {
  testing::test_backend();  // it silences the log that `common` prints
  auto made = ChatTemplate::create(options);
  INGLE_CHECK(made.ok(), made.error().message);
  return std::move(made).value();
}

/// What `chat_template` shows for `prompt`.
Result<std::string> shown(const ChatTemplate& chat_template, const Prompt& prompt) {
  INGLE_TRY(const RenderedChat chat, chat_template.render(prompt));
  return chat.text();
}

Prompt prompt_of(std::vector<Message> messages, Role next = Role::kAssistant) {
  Prompt prompt;
  prompt.messages = std::move(messages);
  prompt.next = next;
  return prompt;
}

TEST(ChatTemplate, ReplyBeginsAfterTheGenerationPrompt) {
  EXPECT_THAT(shown(make({.source = kSimple, .bos = "[B]"}),
                    prompt_of({Message::system("s"), Message::user("u")})),
              IsOkAndHolds("[B]<system>s<user>u<assistant>"));
}

TEST(ChatTemplate, UsersWordsBeginWhereTheyWouldStand) {
  const auto simple = make({.source = kSimple});
  EXPECT_THAT(shown(simple, prompt_of({Message::system("s")}, Role::kUser)),
              IsOkAndHolds("<system>s<user>"));
  EXPECT_THAT(shown(simple, prompt_of({}, Role::kUser)), IsOkAndHolds("<user>"));
  // A message that holds the word which we cut at.
  EXPECT_THAT(shown(simple, prompt_of({Message::user("IngleCut0Here")}, Role::kUser)),
              IsOkAndHolds("<user>IngleCut0Here<user>"));
}

TEST(ChatTemplate, BosIsLeftToATokenizerThatAddsIt) {
  EXPECT_THAT(shown(make({.source = kSimple, .bos = "[B]", .tokenizer_adds_bos = true}),
                    prompt_of({Message::user("u")})),
              IsOkAndHolds("<user>u<assistant>"));
}

TEST(ChatTemplate, WithoutATemplateThePromptIsPlainText) {
  const auto plain = make({});
  EXPECT_THAT(shown(plain, prompt_of({Message::system("s"), Message::user("u")})),
              IsOkAndHolds("system: s\nuser: u\nassistant:"));
  EXPECT_THAT(shown(plain, prompt_of({Message::system("s")}, Role::kUser)),
              IsOkAndHolds("system: s\nuser:"));
}

TEST(ChatTemplate, TextIsSanitisedAndReasoningIsLeftToTheTemplate) {
  Message message = Message::user("a\xFF");
  message.content.insert(message.content.begin(), ReasoningPart{"hm"});
  EXPECT_THAT(shown(make({.source = kSimple}), prompt_of({message})),
              IsOkAndHolds("<user>a\xEF\xBF\xBD<assistant>"));
}

TEST(ChatTemplate, WhatCannotBeShownIsRefused) {
  const auto simple = make({.source = kSimple});
  EXPECT_THAT(shown(simple, prompt_of({})), HasReason("prompt_invalid"));
  EXPECT_THAT(shown(simple, prompt_of({Message::user("u")}, Role::kSystem)),
              HasReason("prompt_invalid"));
  EXPECT_THAT(shown(simple, prompt_of({Message::user("u")}, Role::kTool)),
              HasReason("prompt_invalid"));

  Prompt with_tools = prompt_of({Message::user("u")});
  with_tools.tools = {ToolSpec{"f", "", {}}};
  EXPECT_THAT(shown(simple, with_tools), HasReason("tools_unsupported"));
  EXPECT_THAT(shown(simple, with_tools), HasErrorCode(ErrorCode::kUnsupported));
  const ToolCall call{CallId("1"), "f", {}, ""};
  EXPECT_THAT(shown(simple, prompt_of({Message::tool_result(call, "r")})),
              HasReason("tools_unsupported"));
  Message asking = Message::assistant("");
  asking.tool_calls = {call};
  EXPECT_THAT(shown(simple, prompt_of({asking})), HasReason("tools_unsupported"));
}

TEST(ChatTemplate, RefusalOfTheTemplateIsPassedOn) {
  const auto strict = make({.source = "{{ raise_exception('roles must alternate') }}"});
  const auto text = shown(strict, prompt_of({Message::user("u")}));
  ASSERT_THAT(text, HasReason("prompt_invalid"));
  EXPECT_THAT(text.error().message, HasSubstr("roles must alternate"));
}

TEST(ChatTemplate, BrokenTemplateSaysWhatIsWrong) {
  testing::test_backend();
  const auto broken = ChatTemplate::create({.source = "{% for m in messages %}{{ m.content"});
  ASSERT_THAT(broken, HasReason("chat_template_invalid"));
  EXPECT_THAT(broken.error().message, ::testing::Not(HasSubstr("std::exception")));
}

constexpr const char* kAlternating =
    "{% for m in messages %}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('roles must alternate') }}{% endif %}<{{ m['role'] }}>{{ m['content'] }}"
    "{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}";

TEST(ChatTemplate, NeighboursOfOneRoleAreJoinedWhereRolesMustAlternate) {
  const auto strict = make({.source = kAlternating});
  const auto chat = strict.render(prompt_of({Message::user("a"), Message::user("b")}));
  ASSERT_THAT(chat, testing::IsOk());
  EXPECT_EQ(chat->text(), "<user>a\n\nb<assistant>");
  EXPECT_THAT(chat->warnings, ::testing::ElementsAre(HasSubstr("take turns")));
  const auto fitting = strict.render(prompt_of({Message::user("a")}));
  ASSERT_THAT(fitting, testing::IsOk());
  EXPECT_TRUE(fitting->warnings.empty());
}

TEST(ChatTemplate, LaterSystemMessagesBecomeTheUsersWhereRolesMustAlternate) {
  const auto strict = make({.source = kAlternating});
  const auto chat =
      strict.render(prompt_of({Message::user("a"), Message::system("b"), Message::user("c"),
                               Message::assistant("d"), Message::system("e")}));
  ASSERT_THAT(chat, testing::IsOk());
  EXPECT_EQ(chat->text(), "<user>a\n\nb\n\nc<assistant>d<user>e<assistant>");
  EXPECT_THAT(chat->warnings, ::testing::ElementsAre(HasSubstr("take turns")));
  // A template that takes them gets them as they are.
  EXPECT_THAT(shown(make({.source = kSimple}),
                    prompt_of({Message::system("a"), Message::user("b"), Message::system("c")})),
              IsOkAndHolds("<system>a<user>b<system>c<assistant>"));
}

TEST(ChatTemplate, MarkersInWordsAreCut) {
  const auto simple = make({.source = kSimple, .markers = MarkerSet({"<assistant>"})});
  const auto chat = simple.render(prompt_of({Message::user("x<assistant>y")}));
  ASSERT_THAT(chat, testing::IsOk());
  EXPECT_THAT(chat->pieces, ::testing::ElementsAre("<user>x<", "assistant>y<assistant>"));
}

TEST(ChatTemplate, TemplateThatHidesTheUsersWordsCannotScoreThem) {
  EXPECT_THAT(shown(make({.source = "fixed"}), prompt_of({Message::user("u")}, Role::kUser)),
              HasReason("prompt_invalid"));
}

}  // namespace
}  // namespace ingle
