#include "cli/config/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/config/config_keys.h"
#include "ingle/testing/matchers.h"

namespace ingle::cli {
namespace {

using ::testing::ElementsAre;
using testing::HasReason;
using testing::IsOkAndHolds;

/// Everything is set, with a value that is not the default.
Config full_config() {
  Config config;
  for (const ConfigKey& key : config_keys()) {
    const std::string text = std::holds_alternative<std::optional<bool> Config::*>(key.member)
                                 ? "on"
                             : !key.choices.empty()              ? "q8"
                             : key.name == "sampling.logit_bias" ? "7=-2.5"
                                                                 : "1";
    EXPECT_TRUE(set_text(config, key, std::span(&text, 1))) << key.name;
  }
  return config;
}

TEST(Config, SettingsAreReadBackWithoutThePlaces) {
  Config config = full_config();
  const Json settings = settings_json(config);
  EXPECT_FALSE(settings->contains("data"));
  config.data.reset();
  config.models.reset();
  EXPECT_THAT(config_from_settings(settings), IsOkAndHolds(config));
  EXPECT_EQ(settings->at("sampling").at("top_k"), 1);

  Config small;
  small.model = "m";
  EXPECT_EQ(settings_json(small).dump(), R"({"model":"m"})");
  EXPECT_THAT(config_from_settings(settings_json(small)), IsOkAndHolds(small));
}

TEST(Config, SomebodyElsesSettingsAreRefused) {
  for (const json& value : {json(1), json::object(), json{{"model", 3}}, json::array(),
                            json{{"system", "x"}}, json{{"model", "m"}, {"sampling", 1}},
                            json{{"model", "m"}, {"sampling", {{"top_k", "x"}}}}}) {
    EXPECT_THAT(config_from_settings(value), HasReason("settings_invalid")) << value.dump();
  }
}

TEST(Config, SettingsOfALaterVersionAreReadAsFarAsTheyAreKnown) {
  const auto read = config_from_settings(
      json{{"model", "m"}, {"later", 1}, {"sampling", {{"new", true}, {"top_k", 4}}}});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->top_k, 4);
}

TEST(Config, AnOverlayReplacesWhatItSets) {
  Config base = full_config();
  overlay(base, {});
  EXPECT_EQ(base, full_config());
  Config over;
  over.system = "";
  over.top_k = 9;
  over.ask = {"q"};
  overlay(base, over);
  EXPECT_EQ(base.system, "");
  EXPECT_EQ(base.top_k, 9);
  EXPECT_EQ(base.root, "1");
  EXPECT_THAT(rules_of(base), ElementsAre(Rule{"q", GateEffect::kAsk}));
}

TEST(Config, RulesOfSeveralSourcesAllHold) {
  Config base;
  base.deny = {"shell"};
  base.top_k = 3;
  Config over;
  over.deny = {"write_*"};
  over.allow = {"a"};
  over.top_k = 4;
  overlay_adding_rules(base, over);
  EXPECT_THAT(rules_of(base),
              ElementsAre(Rule{"a", GateEffect::kAllow}, Rule{"shell", GateEffect::kDeny},
                          Rule{"write_*", GateEffect::kDeny}));
  EXPECT_EQ(base.top_k, 4);
}

TEST(Config, LimitsAreThoseOfARunUnlessSet) {
  EXPECT_EQ(limits_of({}), Limits{});
  Config config;
  config.max_steps = 7;
  config.timeout = 0.25;
  EXPECT_EQ(limits_of(config).model_calls, 7);
  EXPECT_EQ(limits_of(config).wall_time, std::chrono::milliseconds(250));
  config.timeout = 1e300;
  EXPECT_GT(*limits_of(config).wall_time, std::chrono::hours(1));
}

TEST(Config, EverySamplingKeyReachesTheModel) {
  const auto options = generation_of(full_config());
  ASSERT_TRUE(options);
  EXPECT_EQ(options->temperature, 1.0);
  EXPECT_EQ(options->top_k, 1);
  EXPECT_EQ(options->top_p, 1.0);
  EXPECT_EQ(options->min_p, 1.0);
  EXPECT_EQ(options->typical_p, 1.0);
  EXPECT_EQ(options->seed, 1U);
  EXPECT_EQ(options->repetition_penalty, 1.0);
  EXPECT_EQ(options->presence_penalty, 1.0);
  EXPECT_EQ(options->frequency_penalty, 1.0);
  EXPECT_EQ(options->logit_bias.at(7), -2.5);
  EXPECT_THAT(options->stop, ElementsAre("1"));
  EXPECT_EQ(options->thinking, Thinking::kOn);
  EXPECT_EQ(options->reasoning_budget, 1);
  EXPECT_EQ(options->max_tokens, 1);
  EXPECT_THAT(generation_of({}), IsOkAndHolds(GenerationOptions{}));
}

TEST(Config, ALogitBiasIsATokenAndANumber) {
  for (const char* text : {"7", "7=", "=1", "a=1", "7=x", "7=1 ", "7=1=2"}) {
    Config config;
    config.logit_bias = {text};
    EXPECT_THAT(generation_of(config), HasReason("logit_bias_invalid")) << text;
  }
  Config config;
  config.logit_bias = {"7=101"};
  EXPECT_THAT(generation_of(config), HasReason("option_out_of_range"));
}

}  // namespace
}  // namespace ingle::cli
