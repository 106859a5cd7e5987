#include "ingle/model/generation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
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
      {{.typical_p = 0.0}, "typical_p"},
      {{.typical_p = nan}, "typical_p"},
      {{.repetition_penalty = 0.0}, "repetition_penalty"},
      {{.repetition_penalty = nan}, "repetition_penalty"},
      {{.presence_penalty = 2.1}, "presence_penalty"},
      {{.presence_penalty = nan}, "presence_penalty"},
      {{.frequency_penalty = -2.1}, "frequency_penalty"},
      {{.logit_bias = {{-1, 0.0}}}, "logit_bias"},
      {{.logit_bias = {{1, 100.5}}}, "logit_bias"},
      {{.logit_bias = {{1, nan}}}, "logit_bias"},
      {{.reasoning_budget = -1}, "reasoning_budget"},
      {{.logprobs = -1}, "logprobs"},
      {{.logprobs = 21}, "logprobs"},
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

TEST(GenerationOption, NamesAreDistinctAndAllAreListed) {
  std::set<std::string_view> names;
  for (const GenerationOption option : all_generation_options()) {
    names.insert(to_string(option));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(GenerationOption::kLogprobs) + 1);
  EXPECT_FALSE(names.contains(""));
}

TEST(GenerationOption, WhatIsSetAndNotHonouredIsAWarning) {
  const GenerationOptions all{.temperature = 1.0,
                              .top_k = 1,
                              .typical_p = 0.5,
                              .top_p = 0.5,
                              .min_p = 0.1,
                              .seed = 1,
                              .repetition_penalty = 1.1,
                              .presence_penalty = 1.0,
                              .frequency_penalty = 1.0,
                              .logit_bias = {{0, 1.0}},
                              .stop = {"x"},
                              .parallel_tool_calls = true,
                              .thinking = Thinking::kOn,
                              .reasoning_budget = 1,
                              .logprobs = 1};
  EXPECT_EQ(set_options(all).size(), all_generation_options().size());
  EXPECT_TRUE(set_options({}).empty());
  EXPECT_TRUE(ignored_option_warnings(all, all_generation_options()).empty());
  const std::vector<GenerationOption> honoured{GenerationOption::kTopK};
  EXPECT_THAT(ignored_option_warnings({.top_k = 1, .typical_p = 0.5}, honoured),
              testing::ElementsAre(testing::HasSubstr("typical_p")));
}

TEST(FinishReason, NamesAreInverse) {
  for (const FinishReason reason : {FinishReason::kStop, FinishReason::kToolCalls,
                                    FinishReason::kLength, FinishReason::kCancelled}) {
    EXPECT_EQ(finish_reason_from(to_string(reason)), reason);
  }
  EXPECT_EQ(finish_reason_from("nonsense"), std::nullopt);
}

TEST(Usage, SumsStopAtTheLargestAndSmallestCount) {
  constexpr TokenCount kMost = std::numeric_limits<TokenCount>::max();
  constexpr TokenCount kLeast = std::numeric_limits<TokenCount>::min();
  Usage sum{.prompt_tokens = kMost, .cached_tokens = kLeast, .completion_tokens = 1};
  EXPECT_EQ(sum.total(), kMost);
  sum += {.prompt_tokens = 1, .cached_tokens = -1, .completion_tokens = kMost};
  EXPECT_EQ(sum,
            (Usage{.prompt_tokens = kMost, .cached_tokens = kLeast, .completion_tokens = kMost}));
}

TEST(Usage, Adds) {
  Usage sum{.prompt_tokens = 1, .cached_tokens = 2, .completion_tokens = 3};
  sum += {.prompt_tokens = 10, .cached_tokens = 20, .completion_tokens = 30};
  EXPECT_EQ(sum, (Usage{.prompt_tokens = 11, .cached_tokens = 22, .completion_tokens = 33}));
  EXPECT_EQ(sum.total(), 44);
}

}  // namespace
}  // namespace ingle
