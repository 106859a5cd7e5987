#include <gtest/gtest.h>

#include "cli/options/options.h"
#include "ingle/testing/matchers.h"

namespace ingle::cli {
namespace {

using testing::HasReason;

TEST(Answer, EveryFormIsRead) {
  struct Case {
    const char* text;
    InterruptDecision decision;
    const char* answer;
  };
  for (const Case& each : {Case{"ask_7=approve", InterruptDecision::kApprove, ""},
                           Case{"ask_7=reject", InterruptDecision::kReject, ""},
                           Case{"ask_7=reject:", InterruptDecision::kReject, ""},
                           Case{"ask_7=reject:No: never", InterruptDecision::kReject, "No: never"},
                           Case{"ask_7=respond:a=b, c", InterruptDecision::kRespond, "a=b, c"},
                           Case{"ask_7=respond:", InterruptDecision::kRespond, ""}}) {
    const auto answer = parse_answer(each.text);
    ASSERT_TRUE(answer) << each.text;
    EXPECT_EQ(answer->id, InterruptId("ask_7"));
    EXPECT_EQ(answer->decision, each.decision) << each.text;
    EXPECT_EQ(answer->text, each.answer) << each.text;
  }
}

TEST(Answer, AnythingElseIsRefused) {
  for (const char* text : {"", "ask_7", "=approve", "ask_7=", "ask_7=yes", "ask_7=Approve",
                           "ask_7=approve:", "ask_7=approve:sure", "ask_7=respond"}) {
    EXPECT_THAT(parse_answer(text), HasReason("answer_invalid")) << text;
  }
}

}  // namespace
}  // namespace ingle::cli
