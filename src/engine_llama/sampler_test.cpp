#include "engine_llama/sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace ingle {
namespace {

using ::testing::UnorderedElementsAre;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// How often each token comes in `count` draws.
std::map<Token, int> draw(const GenerationOptions& options, const std::vector<float>& logits,
                          int count, TokenMask mask = {}) {
  Sampler sampler(options);
  std::map<Token, int> seen;
  for (int i = 0; i < count; ++i) {
    ++seen[sampler.pick(logits, mask).value_or(-1)];
  }
  return seen;
}

std::vector<Token> tokens_of(const std::map<Token, int>& seen) {
  std::vector<Token> tokens;
  for (const auto& [token, count] : seen) {
    tokens.push_back(token);
  }
  return tokens;
}

TEST(Sampler, WithoutTemperatureTheLikeliestIsTaken) {
  const std::vector<float> logits = {1.0F, 3.0F, 2.0F};
  EXPECT_EQ(Sampler({}).pick(logits, {}), 1);
  EXPECT_EQ(Sampler({.temperature = 0.0}).pick(logits, {}), 1);
}

TEST(Sampler, OfEqualTokensTheFirstIsTaken) {
  EXPECT_EQ(Sampler({}).pick(std::vector<float>{1.0F, 3.0F, 3.0F}, {}), 1);
}

TEST(Sampler, MaskedTokensAreNeverTaken) {
  std::vector<float> logits(70, 0.0F);
  logits[3] = 9.0F;
  logits[69] = 1.0F;
  const std::vector<std::uint32_t> mask = {0, 1, 1U << 5U};  // 32 and 69
  EXPECT_EQ(Sampler({}).pick(logits, mask), 69);
  EXPECT_THAT(tokens_of(draw({.temperature = 2.0}, logits, 200, mask)),
              UnorderedElementsAre(32, 69));
}

TEST(Sampler, NothingUsableIsNoToken) {
  const std::vector<std::uint32_t> none = {0};
  EXPECT_EQ(Sampler({}).pick(std::vector<float>{1.0F, 2.0F}, none), std::nullopt);
  EXPECT_EQ(Sampler({.temperature = 1.0}).pick(std::vector<float>{1.0F}, none), std::nullopt);
  const std::vector<float> broken = {std::nanf(""), -kInfinity, kInfinity};
  EXPECT_EQ(Sampler({}).pick(broken, {}), std::nullopt);
  EXPECT_EQ(Sampler({.temperature = 1.0}).pick(broken, {}), std::nullopt);
  EXPECT_EQ(Sampler({}).pick(std::vector<float>{}, {}), std::nullopt);
}

TEST(Sampler, SeedDecidesTheDraws) {
  const std::vector<float> logits(50, 0.0F);
  const auto sequence = [&logits](std::uint32_t seed) {
    Sampler sampler({.temperature = 1.0, .seed = seed});
    std::vector<std::optional<Token>> tokens;
    for (int i = 0; i < 20; ++i) {
      tokens.push_back(sampler.pick(logits, {}));
    }
    return tokens;
  };
  EXPECT_EQ(sequence(1), sequence(1));
  EXPECT_NE(sequence(1), sequence(2));
}

TEST(Sampler, FrequenciesFollowTheProbabilities) {
  const std::vector<float> logits = {std::log(0.5F), std::log(0.3F), std::log(0.2F)};
  auto seen = draw({.temperature = 1.0}, logits, 20000);
  EXPECT_NEAR(seen[0] / 20000.0, 0.5, 0.02);
  EXPECT_NEAR(seen[1] / 20000.0, 0.3, 0.02);
  seen = draw({.temperature = 0.5}, logits, 20000);  // squares: 0.25, 0.09, 0.04 of 0.38
  EXPECT_NEAR(seen[0] / 20000.0, 0.25 / 0.38, 0.02);
}

TEST(Sampler, TopKKeepsTheLikeliest) {
  const std::vector<float> logits = {0.0F, 0.3F, 0.1F, 0.2F};
  EXPECT_THAT(tokens_of(draw({.temperature = 2.0, .top_k = 2}, logits, 300)),
              UnorderedElementsAre(1, 3));
  EXPECT_THAT(tokens_of(draw({.temperature = 2.0, .top_k = 9}, logits, 300)),
              UnorderedElementsAre(0, 1, 2, 3));
}

TEST(Sampler, TopPKeepsJustEnoughMass) {
  const std::vector<float> logits = {std::log(0.5F), std::log(0.3F), std::log(0.15F),
                                     std::log(0.05F)};
  EXPECT_THAT(tokens_of(draw({.temperature = 2.0, .top_p = 0.4}, logits, 300)),
              UnorderedElementsAre(0));
  EXPECT_THAT(tokens_of(draw({.temperature = 2.0, .top_p = 0.7}, logits, 300)),
              UnorderedElementsAre(0, 1));
  EXPECT_THAT(tokens_of(draw({.temperature = 2.0, .top_p = 0.0001}, logits, 300)),
              UnorderedElementsAre(0));
}

TEST(Sampler, MinPDropsTheUnlikely) {
  const std::vector<float> logits = {std::log(0.5F), std::log(0.3F), std::log(0.15F),
                                     std::log(0.05F)};
  EXPECT_THAT(tokens_of(draw({.temperature = 2.0, .min_p = 0.25}, logits, 500)),
              UnorderedElementsAre(0, 1, 2));
  EXPECT_THAT(tokens_of(draw({.temperature = 2.0, .min_p = 1.0}, logits, 300)),
              UnorderedElementsAre(0));
}

TEST(Sampler, RepetitionPenaltyCountsThePromptAndTheReply) {
  const std::vector<float> logits = {4.0F, 3.0F, -1.0F};
  const std::vector<Token> prompt = {0};
  Sampler sampler({.repetition_penalty = 2.0}, prompt);  // 2, 3, -1
  EXPECT_EQ(sampler.pick(logits, {}), 1);
  sampler.accept(1);  // 2, 1.5, -1
  EXPECT_EQ(sampler.pick(logits, {}), 0);
  // Below zero it is multiplied: -1 becomes -2, and is not made likelier.
  Sampler negative({.repetition_penalty = 2.0}, std::vector<Token>{1});
  EXPECT_EQ(negative.pick(std::vector<float>{-1.5F, -1.0F}, {}), 0);
}

TEST(Sampler, PresenceAndFrequencyCountTheReplyOnly) {
  const std::vector<float> logits = {1.0F, 0.5F};
  const std::vector<Token> prompt = {0, 0, 0};
  Sampler presence({.presence_penalty = 0.6}, prompt);
  EXPECT_EQ(presence.pick(logits, {}), 0);
  presence.accept(0);
  EXPECT_EQ(presence.pick(logits, {}), 1);
  Sampler frequency({.frequency_penalty = 0.3}, prompt);
  frequency.accept(0);
  EXPECT_EQ(frequency.pick(logits, {}), 0);  // 0.7
  frequency.accept(0);
  EXPECT_EQ(frequency.pick(logits, {}), 1);  // 0.4
}

TEST(Sampler, BiasIsAddedAndMinusAHundredForbids) {
  const std::vector<float> logits = {300.0F, 1.0F, 0.0F};
  EXPECT_EQ(Sampler({.logit_bias = {{0, -100.0}, {2, 1.5}}}).pick(logits, {}), 2);
  EXPECT_EQ(Sampler({.logit_bias = {{77, 5.0}}}).pick(logits, {}), 0);  // no such token
}

TEST(Sampler, TypicalKeepsWhatIsAsSurprisingAsExpected) {
  // Probabilities 0.4 and thrice 0.2: the entropy is 1.33 nats, the surprises are 0.92 and 1.61.
  const std::vector<float> logits = {std::log(0.4F), std::log(0.2F), std::log(0.2F),
                                     std::log(0.2F)};
  EXPECT_THAT(tokens_of(draw({.temperature = 1.0, .typical_p = 0.15}, logits, 200)),
              UnorderedElementsAre(1));
  EXPECT_THAT(tokens_of(draw({.temperature = 1.0, .typical_p = 1.0}, logits, 300)),
              UnorderedElementsAre(0, 1, 2, 3));
}

TEST(LogProbabilities, AreThoseOfTheSoftmaxTheLikeliestFirst) {
  const std::vector<float> logits = {0.0F, 2.0F, 1.0F};
  const TokenChoice choice = log_probabilities(logits, 0, 2);
  const double shift = std::log(1.0 + std::exp(1.0) + std::exp(2.0));
  EXPECT_NEAR(choice.chosen.logprob, -shift, 1e-9);
  ASSERT_EQ(choice.alternatives.size(), 2U);
  EXPECT_EQ(choice.alternatives[0].token, 1);
  EXPECT_NEAR(choice.alternatives[0].logprob, 2.0 - shift, 1e-9);
  EXPECT_EQ(choice.alternatives[1].token, 2);
  EXPECT_EQ(log_probabilities(logits, 1, 9).alternatives.size(), 3U);
}

}  // namespace
}  // namespace ingle
