#include "engine_llama/thinking.h"

#include <gtest/gtest.h>

namespace ingle {
namespace {

ThinkingTracker tracker(std::string_view begun = "", std::optional<TokenCount> budget = {}) {
  return {"<think>", {"</think>", "</thought>"}, begun, budget};
}

TEST(ThinkingTracker, TagsMayComeInPieces) {
  auto thoughts = tracker();
  EXPECT_FALSE(thoughts.is_thinking());
  for (const char* piece : {"a <", "thi", "nk", ">"}) {
    EXPECT_FALSE(thoughts.is_thinking());
    thoughts.push(piece);
  }
  EXPECT_TRUE(thoughts.is_thinking());
  thoughts.push("hm </thou");
  EXPECT_TRUE(thoughts.is_thinking());
  thoughts.push("ght> answer");
  EXPECT_FALSE(thoughts.is_thinking());
}

TEST(ThinkingTracker, SeveralTagsInOnePiece) {
  auto thoughts = tracker();
  thoughts.push("<think>a</think>b<think>c");
  EXPECT_TRUE(thoughts.is_thinking());
}

TEST(ThinkingTracker, TemplateMayHaveBegunThem) {
  EXPECT_TRUE(tracker("<|assistant|><think>\n").is_thinking());
  EXPECT_FALSE(tracker("<think></think>").is_thinking());
}

TEST(ThinkingTracker, BudgetCountsTokensBetweenTheTags) {
  auto thoughts = tracker("", 2);
  thoughts.push("x");
  thoughts.push("<think>");
  EXPECT_FALSE(thoughts.must_end());
  thoughts.push("a");
  EXPECT_FALSE(thoughts.must_end());
  thoughts.push("b");
  EXPECT_TRUE(thoughts.must_end());
  EXPECT_EQ(thoughts.end_tag(), "</think>");
  thoughts.push("</think>");
  EXPECT_FALSE(thoughts.must_end());
}

TEST(ThinkingTracker, BudgetOfNothingEndsThemAtOnce) {
  EXPECT_TRUE(tracker("<think>", 0).must_end());
}

TEST(ThinkingTracker, WithoutTagsThereAreNoThoughts) {
  ThinkingTracker none("", {}, "<think>", 0);
  none.push("<think>");
  EXPECT_FALSE(none.is_thinking());
  EXPECT_FALSE(none.must_end());
}

}  // namespace
}  // namespace ingle
