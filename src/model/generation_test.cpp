#include "ingle/model/generation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace ingle {
namespace {

TEST(CheckOptions, UnsetAndBoundaryValuesAreAccepted) {
  EXPECT_TRUE(check_options({}).ok());
  EXPECT_TRUE(check_options({.temperature = 0.0, .top_k = 1, .top_p = 1.0, .min_p = 0.0}).ok());
  EXPECT_TRUE(check_options({.temperature = 2.0, .min_p = 1.0, .max_tokens = 1}).ok());
  EXPECT_TRUE(check_options({.stop = {"\n", "END"}}).ok());
  EXPECT_TRUE(check_options({.tool_choice = {.kind = ToolChoice::Kind::kNamed, .name = "f"}}).ok());
}

TEST(CheckOptions, OutOfRangeNamesTheOption) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::pair<GenerationOptions, std::string>> cases = {
      {{.temperature = -0.1}, "temperature"},
      {{.temperature = 2.1}, "temperature"},
      {{.temperature = nan}, "temperature"},
      {{.top_k = 0}, "top_k"},
      {{.top_p = 0.0}, "top_p"},
      {{.top_p = 1.1}, "top_p"},
      {{.top_p = nan}, "top_p"},
      {{.min_p = -0.1}, "min_p"},
      {{.min_p = 1.1}, "min_p"},
      {{.min_p = nan}, "min_p"},
      {{.max_tokens = 0}, "max_tokens"},
      {{.stop = {"a", ""}}, "stop"},
      {{.stop = {"\xC3"}}, "stop"},
      {{.tool_choice = {.kind = ToolChoice::Kind::kNamed, .name = ""}}, "tool_choice"},
  };
  for (const auto& [options, name] : cases) {
    const auto result = check_options(options);
    ASSERT_FALSE(result.ok()) << name;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(result.error().reason, "option_out_of_range");
    EXPECT_THAT(result.error().message, testing::HasSubstr(name));
  }
}

TEST(FinishReason, NamesAreInverse) {
  for (const FinishReason reason : {FinishReason::kStop, FinishReason::kToolCalls,
                                    FinishReason::kLength, FinishReason::kCancelled}) {
    EXPECT_EQ(finish_reason_from(to_string(reason)), reason);
  }
  EXPECT_EQ(finish_reason_from("nonsense"), std::nullopt);
}

TEST(Usage, Adds) {
  Usage sum{.prompt_tokens = 1, .cached_tokens = 2, .completion_tokens = 3};
  sum += {.prompt_tokens = 10, .cached_tokens = 20, .completion_tokens = 30};
  EXPECT_EQ(sum, (Usage{.prompt_tokens = 11, .cached_tokens = 22, .completion_tokens = 33}));
  EXPECT_EQ(sum.total(), 44);
}

}  // namespace
}  // namespace ingle
