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

}  // namespace
}  // namespace ingle
