#include "ingle/session/outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ingle {
namespace {

struct Sample {
  Outcome outcome;
  bool is_resumable;
  std::string text;
};

std::vector<Sample> samples() {
  return {
      {Completed{"hi", FinishReason::kLength}, false,
       R"({"finish_reason":"length","outcome":"completed","text":"hi"})"},
      {ToolResultOutcome{CallId("c1"), "finish", json{{"a", 1}}, "ok", json{{"b", 2}}, true}, false,
       R"({"arguments":{"a":1},"call_id":"c1","is_error":true,"outcome":"tool_result","text":"ok",)"
       R"("tool":"finish","value":{"b":2}})"},
      {Interrupted{{InterruptId("i1"), InterruptId("i2")}}, true,
       R"({"interrupts":["i1","i2"],"outcome":"interrupted"})"},
      {Paused{"lunch"}, true, R"({"outcome":"paused","reason":"lunch"})"},
      {Stopped{LimitKind::kTokens, 12, 10}, false,
       R"({"allowed":10,"limit":"tokens","outcome":"stopped","used":12})"},
      {Cancelled{CancelReason::kDeadline, "so f"}, false,
       R"({"outcome":"cancelled","reason":"deadline","text":"so f"})"},
      {Failed{{ErrorCode::kUnavailable, "engine_failed", "gone", json{{"try", 2}}}}, false,
       R"({"error":{"code":"unavailable","details":{"try":2},"message":"gone",)"
       R"("reason":"engine_failed"},"outcome":"failed"})"},
  };
}

TEST(Outcome, EveryOneHasTheDocumentedFormAndComesBackEqual) {
  ASSERT_EQ(samples().size(), std::variant_size_v<Outcome>);
  for (const Sample& sample : samples()) {
    EXPECT_EQ(to_json(sample.outcome).dump(), sample.text);
    EXPECT_EQ((*to_json(sample.outcome))["outcome"], outcome_name(sample.outcome));
    const auto read = outcome_from_json(to_json(sample.outcome));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, sample.outcome);
  }
}

TEST(Outcome, InterruptedAndPausedCanGoOn) {
  for (const Sample& sample : samples()) {
    EXPECT_EQ(is_resumable(sample.outcome), sample.is_resumable) << sample.text;
  }
}

TEST(Outcome, EveryMemberButFreeJsonIsNeeded) {
  for (const Sample& sample : samples()) {
    const json whole = *to_json(sample.outcome);
    for (const auto& [name, value] : whole.items()) {
      if (name == "arguments" || name == "value") {
        continue;
      }
      json part = whole;
      part.erase(name);
      const auto read = outcome_from_json(part);
      ASSERT_FALSE(read.ok()) << part.dump();
      EXPECT_EQ(read.error().reason, "event_invalid");
      EXPECT_THAT(read.error().message, testing::HasSubstr(name));
    }
  }
}

TEST(Outcome, UnknownNamesAreRefused) {
  for (const json& value :
       {json{{"outcome", "vanished"}}, json{{"outcome", 1}}, json::array(), json(),
        json{{"outcome", "stopped"}, {"limit", "patience"}, {"used", 1}, {"allowed", 1}},
        json{{"outcome", "cancelled"}, {"reason", "whim"}, {"text", ""}},
        json{{"outcome", "completed"}, {"finish_reason", "whim"}, {"text", ""}}}) {
    EXPECT_FALSE(outcome_from_json(value).ok()) << value.dump();
  }
}

}  // namespace
}  // namespace ingle
