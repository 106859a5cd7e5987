#include "ingle/session/limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace ingle {
namespace {

using std::chrono::milliseconds;

TEST(Limits, DefaultsBoundModelCallsAndErrorSteps) {
  EXPECT_EQ(to_json(Limits{}).dump(), R"({"error_steps":3,"model_calls":50})");
}

TEST(Limits, EveryLimitComesBackEqual) {
  const Limits none{std::nullopt, std::nullopt, std::nullopt, std::nullopt, std::nullopt};
  const Limits all{1, 2, 3, milliseconds{4}, 0};
  for (const Limits& limits : {Limits{}, none, all}) {
    const auto read = limits_from_json(to_json(limits));
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(*read, limits);
  }
}

TEST(Limits, AnAbsentLimitIsNoneWhateverTheDefault) {
  const auto read = limits_from_json(json{{"tokens", nullptr}, {"of_a_newer_version", 1}});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->model_calls, std::nullopt);
  EXPECT_EQ(read->tokens, std::nullopt);
}

TEST(Limits, InvalidMembersAreNamed) {
  for (const char* name : {"model_calls", "tool_calls", "tokens", "wall_time_ms", "error_steps"}) {
    for (const json& value : {json(-1), json("1"), json(1.5), json(18'446'744'073'709'551'615U)}) {
      const auto read = limits_from_json(json{{name, value}});
      ASSERT_FALSE(read.ok()) << name;
      EXPECT_EQ(read.error().reason, "event_invalid");
      EXPECT_THAT(read.error().message, testing::HasSubstr(name));
    }
  }
  EXPECT_FALSE(limits_from_json(json::array()).ok());
}

TEST(Limits, NegativeOnesAreOutOfRange) {
  EXPECT_TRUE(check_limits({}).ok());
  EXPECT_TRUE(check_limits({0, 0, 0, milliseconds{0}, 0}).ok());
  const std::pair<Limits, const char*> cases[] = {
      {{.model_calls = -1}, "model_calls"}, {{.tool_calls = -1}, "tool_calls"},
      {{.tokens = -1}, "tokens"},           {{.wall_time = milliseconds{-1}}, "wall_time"},
      {{.error_steps = -1}, "error_steps"},
  };
  for (const auto& [limits, name] : cases) {
    const auto checked = check_limits(limits);
    ASSERT_FALSE(checked.ok());
    EXPECT_EQ(checked.error().reason, "limit_out_of_range");
    EXPECT_THAT(checked.error().message, testing::HasSubstr(name));
  }
}

TEST(Limits, KindsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const LimitKind kind : {LimitKind::kModelCalls, LimitKind::kToolCalls, LimitKind::kTokens,
                               LimitKind::kWallTime, LimitKind::kErrorSteps}) {
    names.insert(to_string(kind));
  }
  EXPECT_EQ(names.size(), 5U);
  EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace ingle
