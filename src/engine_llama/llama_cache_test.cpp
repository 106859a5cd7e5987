// What the engine keeps between requests, on the real model: what is counted as cached was not
// computed, and what is not computed does not change what is written by more than rounding does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "engine_llama/decoder.h"
#include "engine_llama/model_fixture.h"
#include "engine_llama/tokenizer.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/recording_sink.h"

namespace ingle {
namespace {

using testing::test_model;

/// A prompt that no other test of this program has begun.
Prompt fresh(const std::string& words) {
  return {.messages = {Message::system("You are terse. " + words),
                       Message::user("Name three colours of tea.")},
          .tools = {}};
}

Completion reply_to(const Prompt& prompt, const GenerationOptions& options = {.max_tokens = 24}) {
  NullDeltaSink sink;
  auto reply = test_model()->generate(Call{}, prompt, options, sink);
  EXPECT_THAT(reply, testing::IsOk());
  return *std::move(reply);
}

TEST(LlamaCache, NextTurnComputesOnlyWhatIsNew) {
  Prompt prompt = fresh("One.");
  const Completion first = reply_to(prompt);
  prompt.messages.push_back(first.message);
  prompt.messages.push_back(Message::user("And of coffee?"));
  const Completion second = reply_to(prompt);
  // The token that ended the reply was not computed; all before it was.
  EXPECT_GE(second.usage.cached_tokens,
            first.usage.prompt_tokens + first.usage.completion_tokens - 1);
  EXPECT_LT(second.usage.cached_tokens, second.usage.prompt_tokens);
  prompt.messages.push_back(second.message);
  prompt.messages.push_back(Message::user("Thanks."));
  EXPECT_GE(reply_to(prompt).usage.cached_tokens,
            second.usage.prompt_tokens + second.usage.completion_tokens - 1);
}

TEST(LlamaCache, SamePromptAgainComputesItsLastToken) {
  const Prompt prompt = fresh("Two.");
  const Completion first = reply_to(prompt);
  const Completion again = reply_to(prompt);
  EXPECT_EQ(again.usage.cached_tokens, first.usage.prompt_tokens - 1);
}

TEST(LlamaCache, OtherConversationSharesItsBeginningOnly) {
  reply_to(fresh("Three, and then some more words."));
  const Completion other = reply_to(fresh("Four."));
  EXPECT_GT(other.usage.cached_tokens, 0);
  EXPECT_LT(other.usage.cached_tokens, other.usage.prompt_tokens / 2);
}

TEST(LlamaCache, CancelledPrefillIsGoneOnWith) {
  Prompt prompt = fresh("Five.");
  for (int i = 0; i < 200; ++i) {
    prompt.messages[0].content.emplace_back(TextPart{" Tea is a drink."});
  }
  const auto count = test_model()->count_tokens(prompt);
  ASSERT_THAT(count, testing::IsOk());
  NullDeltaSink sink;
  const auto cut = test_model()->generate({{}, Deadline::after(std::chrono::milliseconds(700))},
                                          prompt, {.max_tokens = 1}, sink);
  ASSERT_THAT(cut, testing::IsOk());
  const Completion whole = reply_to(prompt, {.max_tokens = 1});
  EXPECT_EQ(whole.usage.prompt_tokens, *count);
  if (cut->finish_reason == FinishReason::kCancelled) {
    EXPECT_EQ(whole.usage.cached_tokens, cut->usage.prompt_tokens);
  }
}

TEST(LlamaCache, ScoresLeaveTheConversationAlone) {
  const Prompt prompt = fresh("Six.");
  const Completion first = reply_to(prompt);
  std::vector<Prompt> prompts;
  for (const char* tool : {"read_file(path): reads a file", "search(query): looks for words",
                           "weather(city): tells the weather"}) {
    prompts.push_back({.messages = {Message::system(tool)}, .tools = {}, .next = Role::kUser});
  }
  const std::string question = "Will it rain in Rome?";
  const auto once = test_model()->score_behind_each({}, prompts, question);
  const auto twice = test_model()->score_behind_each({}, prompts, question);
  ASSERT_THAT(once, testing::IsOk());
  ASSERT_THAT(twice, testing::IsOk());
  EXPECT_EQ(once->usage.cached_tokens, 0);
  EXPECT_GT(twice->usage.cached_tokens, 0);
  EXPECT_EQ(once->usage.prompt_tokens, twice->usage.prompt_tokens);
  EXPECT_EQ(std::ranges::max_element(once->log_likelihoods) - once->log_likelihoods.begin(), 2);
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    EXPECT_NEAR(twice->log_likelihoods[i], once->log_likelihoods[i], 0.3);
    const auto alone = test_model()->score({}, prompts[i], std::span(&question, 1));
    ASSERT_THAT(alone, testing::IsOk());
    EXPECT_NEAR(alone->log_likelihoods.front(), once->log_likelihoods[i], 0.3);
  }
}

TEST(LlamaCache, ScoringStopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  const std::vector<Prompt> prompts{{.messages = {Message::system("x")}, .next = Role::kUser}};
  EXPECT_THAT(test_model()->score_behind_each({stop.get_token(), {}}, prompts, "Hello"),
              testing::HasErrorCode(ErrorCode::kCancelled));
  EXPECT_THAT(test_model()->score_behind_each({}, prompts, "Hello"), testing::IsOk());
  EXPECT_THAT(test_model()->score_behind_each({}, {}, "Hello"), testing::IsOk());
}

/// The sameness that is promised: in a cold run over the text that a warm run has produced, each of
/// its greedy tokens is likeliest, or within rounding of it.
TEST(LlamaCache, WarmTextIsGreedyInAColdRunToo) {
  constexpr float kEpsilon = 1.5F;  // measured: up to 1.05 (docs/engine.md)
  Prompt prompt = fresh("Seven.");
  const Completion first = reply_to(prompt);
  prompt.messages.push_back(first.message);
  prompt.messages.push_back(Message::user("Say more about the second one."));
  const Completion warm = reply_to(prompt, {.max_tokens = 40, .logprobs = 0});
  ASSERT_GT(warm.usage.cached_tokens, 0);
  std::vector<Token> reply;
  for (const TokenChoice& choice : warm.logprobs) {
    reply.push_back(choice.chosen.token);
  }

  LlamaModelOptions options = testing::test_model_options();
  options.context_window = 2048;
  const auto cold = testing::load_test_model(options);
  const std::string text = warm.message.text();
  // The same text, forced token by token: each with its log-probability and the likeliest one.
  GenerationOptions forced{.max_tokens = static_cast<TokenCount>(reply.size()), .logprobs = 1};
  forced.constraint =
      ConstraintSpec{.kind = ConstraintKind::kLark, .text = "start: " + Json(json(text)).dump()};
  NullDeltaSink sink;
  const auto again = cold->generate({}, prompt, forced, sink);
  ASSERT_THAT(again, testing::IsOk());
  EXPECT_EQ(again->usage.cached_tokens, 0);
  std::size_t compared = 0;
  for (std::size_t i = 0; i < std::min(reply.size(), again->logprobs.size()); ++i) {
    const TokenChoice& choice = again->logprobs[i];
    if (choice.chosen.token != reply[i]) {
      break;  // another way to cut the same text
    }
    EXPECT_GE(choice.chosen.logprob, choice.alternatives.front().logprob - kEpsilon) << i;
    ++compared;
  }
  EXPECT_GT(compared, 5U);
}

}  // namespace
}  // namespace ingle
