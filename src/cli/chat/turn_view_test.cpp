#include "cli/chat/turn_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "cli/line_reader_fixture.h"
#include "ingle/testing/fake_clock.h"

namespace ingle::cli {
namespace {

using ::testing::HasSubstr;

class View : public ::testing::Test {
 protected:
  explicit View(bool is_lively = false) : view_(streams_, reader_, is_lively, clock_) {
    view_.begin_turn();
    view_.begin_part(cancel_);
  }

  void event(EventBody body) { view_.on_event({.body = std::move(body)}); }
  void text(std::string piece) { view_.on_delta(TextDelta{std::move(piece)}); }
  void reply(std::string whole, std::vector<ToolCall> calls = {}, Usage usage = {}) {
    Message message = Message::assistant(std::move(whole));
    message.tool_calls = std::move(calls);
    event(ModelReplied{.message = message, .usage = usage});
  }

  std::istringstream in_;
  std::ostringstream out_;
  std::ostringstream err_;
  Streams streams_{.in = in_, .out = out_, .err = err_};
  FakeLines lines_;
  FakeLineReader reader_{lines_};
  testing::FakeClock clock_;
  CancelSource cancel_;
  TurnView view_;
};

class LivelyView : public View {
 protected:
  LivelyView() : View(true) {}
};

const ToolCall kCall{.id = CallId("c"), .name = "look", .arguments = json{{"n", 1}}};

TEST_F(View, TextIsWrittenAsItComes) {
  event(ModelCalled{});
  text("All ");
  EXPECT_EQ(out_.str(), "All ");
  text("done.");
  reply("All done.");
  EXPECT_EQ(out_.str(), "All done.\n");
}

TEST_F(View, WhatWasNotStreamedComesWithTheReply) {
  event(ModelCalled{});
  text("All ");
  reply("All done.\n");
  event(ModelCalled{});
  reply("Twice.");
  EXPECT_EQ(out_.str(), "All done.\nTwice.\n");
}

TEST_F(View, AToolIsACard) {
  event(ModelCalled{});
  reply("", {kCall});
  event(ToolStarted{.call_id = kCall.id});
  EXPECT_EQ(err_.str(), "-> look {\"n\":1}\n");
  event(ToolFinished{.call_id = kCall.id, .text = "done"});
  EXPECT_EQ(err_.str(), "-> look {\"n\":1}\n   done\n<- 4 bytes\n");
}

TEST_F(View, ACallIsShownOnce) {
  view_.remember_calls({[] {
    Message message = Message::assistant("");
    message.tool_calls = {kCall};
    return message;
  }()});
  view_.show_call(kCall.id);
  event(ToolStarted{.call_id = kCall.id, .attempt = 2});
  EXPECT_EQ(err_.str(), "-> look {\"n\":1}\nit started before and did not end: attempt 2\n");
  view_.forget_calls();
  view_.show_call(kCall.id);
  reply("", {kCall});
  view_.show_call(kCall.id);
  EXPECT_THAT(err_.str(), ::testing::EndsWith("attempt 2\n-> look {\"n\":1}\n"));
}

TEST_F(View, ReasoningIsNoPartOfTheAnswer) {
  event(ModelCalled{});
  view_.on_delta(ReasoningDelta{"Let me "});
  view_.on_delta(ReasoningDelta{"see."});
  text("Tea.");
  reply("Tea.");
  EXPECT_EQ(out_.str(), "Tea.\n");
  EXPECT_EQ(err_.str(), "(thinking) Let me see.\n");
}

TEST_F(View, NobodyReadsReasoningInAPipe) {
  lines_.is_interactive = false;
  view_.on_delta(ReasoningDelta{"Let me see."});
  EXPECT_EQ(err_.str(), "");
}

TEST_F(LivelyView, ReasoningIsDim) {
  view_.on_delta(ReasoningDelta{"Let me\x1b[0m see. "});
  EXPECT_EQ(err_.str(), "\x1b[2mLet me\\x1b[0m see.\x1b[0m");
}

TEST_F(View, OnATerminalControlCharactersAreShown) {
  streams_.out_is_terminal = true;
  text("a\x1b[31mb ");
  EXPECT_EQ(out_.str(), "a\\x1b[31mb");
}

TEST_F(View, OnATerminalLinesBreakBetweenWords) {
  const std::string words = "Nine columns ten columns nine columns ten columns nine columns, all.";
  text(words);
  EXPECT_EQ(out_.str(), words);  // A file gets what the model wrote.
  streams_.out_is_terminal = true;
  view_.end_part();
  out_.str("");
  text(words);
  view_.end_part();
  EXPECT_EQ(out_.str(), "Nine columns ten columns nine columns ten columns nine\ncolumns, all.\n");
}

TEST_F(View, AnOutputThatIsGoneCancels) {
  out_.setstate(std::ios::badbit);
  text("a");
  EXPECT_EQ(cancel_.reason(), CancelReason::kAbandoned);
}

TEST_F(View, APartThatIsCutEndsItsLine) {
  text("Half");
  view_.end_part();
  EXPECT_EQ(out_.str(), "Half\n");
}

TEST_F(View, AfterCtrlCTheCursorIsOnANewLineAlready) {
  text("Half");
  cancel_.cancel(CancelReason::kUser);
  streams_.err_is_terminal = true;
  reply("Half");
  view_.end_part();
  EXPECT_EQ(out_.str(), "Half");
}

TEST_F(View, CountsWhatATurnCosts) {
  using std::chrono::milliseconds;
  event(ModelCalled{});
  clock_.advance(milliseconds(500));
  text("a");
  clock_.advance(milliseconds(1000));
  text("b");
  reply("ab", {}, {.prompt_tokens = 100, .cached_tokens = 80, .completion_tokens = 21});
  view_.end_part();
  clock_.advance(milliseconds(60'000));  // A person thinks.
  view_.begin_part(cancel_);
  event(ModelCalled{});
  clock_.advance(milliseconds(500));
  reply("c", {}, {.prompt_tokens = 50, .completion_tokens = 1});
  view_.end_part();
  EXPECT_EQ(view_.model_calls(), 2U);
  EXPECT_EQ(cost_line(view_.cost()), "150 tokens in (80 cached), 22 out, 2.0 s, 20 tokens/s");
  view_.begin_turn();
  EXPECT_EQ(cost_line(view_.cost()), "0 tokens in, 0 out, 0.0 s");
}

TEST_F(View, WarningsOfTheModelAreShown) {
  event(ModelReplied{.message = Message::assistant("a"), .warnings = {"no top_k"}});
  EXPECT_THAT(err_.str(), HasSubstr("warning: no top_k\n"));
}

}  // namespace
}  // namespace ingle::cli
