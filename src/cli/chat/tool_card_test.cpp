#include "cli/chat/tool_card.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "cli/text/display_width.h"

namespace ingle::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr CardStyle kStyle{.is_lively = false, .width = 40};

ToolCall call(json arguments) {
  return {.id = CallId("c"), .name = "look", .arguments = Json(std::move(arguments))};
}

ToolFinished result(std::string text, bool is_error = false) {
  return {.call_id = CallId("c"), .is_error = is_error, .text = std::move(text)};
}

TEST(ToolCard, ShortArgumentsStandBehindTheName) {
  EXPECT_EQ(call_card(call({{"path", "a.txt"}}), kStyle), "-> look {\"path\":\"a.txt\"}\n");
  EXPECT_EQ(call_card(call(json::object()), kStyle), "-> look\n");
}

TEST(ToolCard, LongArgumentsStandBelowIt) {
  EXPECT_EQ(call_card(call({{"path", std::string(30, 'p')}, {"n", 1}}), kStyle),
            "-> look\n   {\n     \"n\": 1,\n     \"path\": \"" + std::string(25, 'p') +
                "\n   ppppp\"\n   }\n");
}

TEST(ToolCard, ArgumentsAreBounded) {
  json many = json::object();
  for (int i = 0; i < 100; ++i) {
    many["key" + std::to_string(i)] = i;
  }
  EXPECT_THAT(call_card(call(many), kStyle), HasSubstr("   ... 90 more lines\n"));
}

TEST(ToolCard, WhatIsNotJsonIsShownAsItIs) {
  const auto malformed = ToolCall::of_text(CallId("c"), "look", "{nonsense");
  EXPECT_EQ(call_card(malformed, kStyle), "-> look {nonsense\n");
}

TEST(ToolCard, AResultIsItsFirstLinesAndItsSize) {
  EXPECT_EQ(result_card(result("one\ntwo\n"), kStyle), "   one\n   two\n<- 8 bytes, 2 lines\n");
  EXPECT_EQ(result_card(result("done"), kStyle), "   done\n<- 4 bytes\n");
  EXPECT_EQ(result_card(result(""), kStyle), "<- 0 bytes\n");
  EXPECT_THAT(result_card(result("1\n2\n3\n4\n5\n6\n7\n8"), kStyle),
              HasSubstr("   6\n   ... 2 more lines\n<- 15 bytes, 8 lines\n"));
}

TEST(ToolCard, ALongLineIsBroken) {
  EXPECT_EQ(result_card(result(std::string(40, 'x') + "\ny"), kStyle),
            "   " + std::string(36, 'x') + "\n   xxxx\n   y\n<- 42 bytes, 2 lines\n");
  EXPECT_THAT(result_card(result(std::string(400, 'x') + "\ny"), kStyle),
              HasSubstr("xxx...\n   ... 1 more line\n<- 402 bytes, 2 lines\n"));
}

TEST(ToolCard, ALongLineIsBrokenBetweenWords) {
  EXPECT_EQ(result_card(result("one two three four five six seven eight nine"), kStyle),
            "   one two three four five six seven\n   eight nine\n<- 44 bytes\n");
}

TEST(ToolCard, NoLineIsWiderThanTheTerminal) {
  const CardStyle lively{.is_lively = true, .width = 40};
  std::istringstream lines(result_card(result(std::string(500, 'x') + "\n\u8336\u8336"), kStyle) +
                           call_card(call({{"text", std::string(500, 'y')}}), kStyle));
  for (std::string each; std::getline(lines, each);) {
    EXPECT_LT(display_width(each), 40U);
  }
  EXPECT_THAT(result_card(result(std::string(500, 'x')), lively), HasSubstr("xxx..."));
}

TEST(ToolCard, SaysWhyACallDidNotRun) {
  ToolFinished denied = result("not allowed", true);
  denied.source = ResultSource::kDenied;
  EXPECT_EQ(result_card(denied, kStyle), "   not allowed\n<- refused, 11 bytes\n");
}

TEST(ToolCard, OnALivelyTerminalAnErrorIsRed) {
  const CardStyle lively{.is_lively = true, .width = 40};
  EXPECT_THAT(result_card(result("gone", true), lively), HasSubstr("\x1b[31mgone"));
  EXPECT_THAT(result_card(result("here"), lively), Not(HasSubstr("\x1b[31m")));
  EXPECT_THAT(call_card(call({{"n", 1}}), lively), StartsWith("\x1b[2m\u256d "));
}

TEST(ToolCard, ControlCharactersAreShown) {
  EXPECT_EQ(result_card(result("a\x1b[2J\tb\r"), kStyle), "   a\\x1b[2J    b\\x0d\n<- 8 bytes\n");
  ToolCall bad = call(json::object());
  bad.name = "a\nb";
  EXPECT_EQ(call_card(bad, kStyle), "-> a\\nb\n");
}

}  // namespace
}  // namespace ingle::cli
