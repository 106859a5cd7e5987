#include "cli/chat/chat_question.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/line_reader_fixture.h"

namespace ingle::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Question : public ::testing::Test {
 protected:
  Decision ask(std::vector<Line> lines) {
    fake_.lines = {lines.begin(), lines.end()};
    FakeLineReader reader(fake_);
    Notes notes(err_, false);
    const ToolCall call{.name = "change", .arguments = json{{"path", "a"}, {"text", "b"}}};
    return ask_person(reader, notes, question_, call);
  }
  bool confirm(std::vector<Line> lines) {
    fake_.lines = {lines.begin(), lines.end()};
    FakeLineReader reader(fake_);
    Notes notes(err_, false);
    return ask_yes_or_no(reader, notes, "Really?");
  }

  InterruptRaised question_{.id = InterruptId("ask_7"), .text = "May it?"};
  FakeLines fake_;
  std::ostringstream err_;
};

TEST_F(Question, YApproves) {
  const Decision decision = ask({line(" y ")});
  ASSERT_TRUE(decision.answer);
  EXPECT_EQ(decision.answer->id, InterruptId("ask_7"));
  EXPECT_EQ(decision.answer->decision, InterruptDecision::kApprove);
  EXPECT_THAT(err_.str(), HasSubstr("May change run?\ny run it, "));
}

TEST_F(Question, NRejectsWithAReason) {
  const Decision decision = ask({line("n"), line("Not now.")});
  ASSERT_TRUE(decision.answer);
  EXPECT_EQ(decision.answer->decision, InterruptDecision::kReject);
  EXPECT_EQ(decision.answer->text, "Not now.");
  EXPECT_EQ(ask({line("no"), line("")}).answer->text, "");
}

TEST_F(Question, RGivesTheResult) {
  const Decision decision = ask({line("r"), line("4\\"), line("2")});
  ASSERT_TRUE(decision.answer);
  EXPECT_EQ(decision.answer->decision, InterruptDecision::kRespond);
  EXPECT_EQ(decision.answer->text, "4\n2");
}

TEST_F(Question, AnEmptyResultIsNone) {
  const Decision decision = ask({line("r"), line(""), line("l")});
  EXPECT_FALSE(decision.answer);
  EXPECT_EQ(fake_.requests.size(), 3U);
}

TEST_F(Question, LLeavesItOpen) {
  const Decision decision = ask({line("l"), line("y")});
  EXPECT_FALSE(decision.answer);
  EXPECT_EQ(decision.end, LineEnd::kLine);
}

TEST_F(Question, NothingElseDecides) {
  for (const char* text : {"", " ", "ok", "Y", "yy", "yes please", "approve", "/quit"}) {
    SCOPED_TRACE(text);
    fake_.requests.clear();
    EXPECT_FALSE(ask({line(text), line("l")}).answer);
    EXPECT_EQ(fake_.requests.size(), 2U);
  }
  EXPECT_THAT(err_.str(), HasSubstr("nothing is decided"));
}

TEST_F(Question, WhatEndsTheReadingDecidesNothing) {
  for (const LineEnd end : {LineEnd::kEnd, LineEnd::kInterrupt, LineEnd::kTerminated}) {
    EXPECT_EQ(ask({{end, ""}}).end, end);
    const Decision decision = ask({line("n"), {end, "half"}});
    EXPECT_FALSE(decision.answer);
    EXPECT_EQ(decision.end, end);
    EXPECT_FALSE(ask({line("r"), {end, "half"}}).answer);
  }
}

TEST_F(Question, WhatWasTypedBeforeDoesNotCount) {
  (void)ask({line("l")});
  EXPECT_TRUE(fake_.requests.at(0).is_decision);
  (void)confirm({line("n")});
  EXPECT_TRUE(fake_.requests.back().is_decision);
}

TEST_F(Question, AShowsAllOfIt) {
  EXPECT_TRUE(ask({line("a"), line("y")}).answer);
  EXPECT_THAT(err_.str(), HasSubstr("change\n{\n  \"path\": \"a\",\n  \"text\": \"b\"\n}\n"));
}

TEST_F(Question, AnUnknownOutcomeIsAskedAboutInItsOwnWords) {
  question_.kind = InterruptKind::kUnknownOutcome;
  (void)ask({line("l")});
  EXPECT_THAT(err_.str(), HasSubstr("May it?\ny run it again"));
  EXPECT_THAT(err_.str(), Not(HasSubstr("y run it,")));
}

TEST_F(Question, YesAndNoAreSaid) {
  EXPECT_TRUE(confirm({line("y")}));
  EXPECT_FALSE(confirm({line("n")}));
  EXPECT_TRUE(confirm({line(""), line("maybe"), line("yes")}));
  EXPECT_FALSE(confirm({}));
  EXPECT_FALSE(confirm({{LineEnd::kInterrupt, "y"}}));
}

}  // namespace
}  // namespace ingle::cli
