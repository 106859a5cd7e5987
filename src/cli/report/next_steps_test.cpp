#include "cli/report/next_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ingle::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(NextSteps, AnInterruptGivesTheCommandsThatAnswerIt) {
  SessionState state;
  state.interrupts = {{.id = InterruptId("ask_7"), .text = "May the agent run it?"}};
  const auto lines =
      next_steps(Interrupted{{InterruptId("ask_7")}}, state, "ingle resume s --data 'a b'");
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "ask_7: May the agent run it?");
  EXPECT_THAT(lines[1], HasSubstr("ingle resume s --data 'a b' --answer ask_7=approve"));
  EXPECT_THAT(lines[2], HasSubstr("--answer ask_7=reject:REASON"));
  EXPECT_THAT(lines[3], HasSubstr("--answer ask_7=respond:TEXT"));
}

TEST(NextSteps, AnUnknownOutcomeIsRunAgain) {
  SessionState state;
  state.interrupts = {{.id = InterruptId("ask_7"), .kind = InterruptKind::kUnknownOutcome}};
  EXPECT_THAT(next_steps(Interrupted{}, state, "ingle resume s").at(1), HasSubstr("run it again"));
}

TEST(NextSteps, WhatCanGoOnSaysHow) {
  SessionState state;
  state.transcript = {Message::user("hello")};
  EXPECT_THAT(next_steps(Failed{}, state, "ingle resume s"),
              ElementsAre("to go on: ingle resume s"));
  EXPECT_THAT(next_steps(Stopped{.limit = LimitKind::kModelCalls}, state, "ingle resume s"),
              ElementsAre("to go on: ingle resume s --max-steps N"));
  EXPECT_THAT(next_steps(Stopped{.limit = LimitKind::kWallTime}, state, "ingle resume s"),
              ElementsAre("to go on: ingle resume s"));
}

TEST(NextSteps, WhatIsOverHasNone) {
  SessionState state;
  state.transcript = {Message::user("hello"), Message::assistant("hi")};
  EXPECT_THAT(next_steps(Completed{}, state, "ingle resume s"), IsEmpty());
  EXPECT_THAT(next_steps(Cancelled{}, state, "ingle resume s"), IsEmpty());
}

TEST(NextSteps, EveryEndButAnAnswerIsSaid) {
  EXPECT_EQ(ending(Completed{}), "");
  EXPECT_EQ(ending(ToolResultOutcome{}), "");
  EXPECT_THAT(ending(Completed{.text = "x", .finish_reason = FinishReason::kLength}),
              HasSubstr("was cut"));
  EXPECT_THAT(ending(Interrupted{{InterruptId("a"), InterruptId("b")}}), HasSubstr("each"));
  EXPECT_EQ(ending(Paused{"terminated"}), "paused: terminated");
  EXPECT_EQ(ending(Stopped{.limit = LimitKind::kModelCalls, .used = 2, .allowed = 2}),
            "stopped by the limit model_calls: 2 of 2");
  EXPECT_EQ(ending(Cancelled{.reason = CancelReason::kUser}), "cancelled (user)");
  EXPECT_EQ(ending(Failed{{.message = "no luck"}}), "failed: no luck");
}

}  // namespace
}  // namespace ingle::cli
