#include "cli/config/config_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "ingle/testing/matchers.h"

namespace ingle::cli {
namespace {

using ::testing::ElementsAre;
using testing::HasReason;
using ::testing::HasSubstr;

const ConfigKey& key(std::string_view name) {
  const ConfigKey* found = find_config_key(name);
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

Result<void> set(Config& config, std::string_view name, const std::string& text) {
  return set_text(config, key(name), std::span(&text, 1));
}

std::string refusal(std::string_view name, const std::string& text) {
  Config config;
  const auto done = set(config, name, text);
  EXPECT_EQ(config, Config()) << name;
  return done ? "no error" : done.error().message;
}

TEST(ConfigKeys, NamesFlagsAndVariablesAreUnique) {
  std::set<std::string> seen;
  for (const ConfigKey& one : config_keys()) {
    EXPECT_TRUE(seen.insert(std::string(one.name)).second) << one.name;
    EXPECT_TRUE(seen.insert(std::string(one.flag)).second) << one.flag;
    EXPECT_TRUE(seen.insert(one.variable()).second) << one.variable();
    EXPECT_FALSE(one.about.empty()) << one.name;
    EXPECT_FALSE(one.fallback.empty()) << one.name;
  }
  // Variables that mean something else.
  for (const char* taken : {"INGLE_CACHE", "INGLE_LOG", "INGLE_CONFIG"}) {
    EXPECT_FALSE(seen.contains(taken)) << taken;
  }
}

TEST(ConfigKeys, EveryMemberHasAKeyOfItsOwn) {
  Config config;
  std::size_t count = 0;
  for (const ConfigKey& one : config_keys()) {
    EXPECT_TRUE(value_of(config, one).is_null()) << one.name << " has the member of another key";
    const bool is_switch = std::holds_alternative<std::optional<bool> Config::*>(one.member);
    ASSERT_TRUE(set(config, one.name,
                    is_switch             ? "on"
                    : one.choices.empty() ? "1"
                                          : "q8"))
        << one.name;
    EXPECT_FALSE(value_of(config, one).is_null()) << one.name;
    ++count;
  }
  EXPECT_EQ(count, config_keys().size());
}

TEST(ConfigKeys, NamesHaveParts) {
  EXPECT_EQ(key("sampling.top_k").table(), "sampling");
  EXPECT_EQ(key("sampling.top_k").short_name(), "top_k");
  EXPECT_EQ(key("sampling.top_k").variable(), "INGLE_TOP_K");
  EXPECT_EQ(key("model").table(), "");
  EXPECT_EQ(key("model").variable(), "INGLE_MODEL");
}

TEST(ConfigKeys, TextsBecomeValues) {
  Config config;
  ASSERT_TRUE(set(config, "sampling.temperature", "0.5"));
  ASSERT_TRUE(set(config, "sampling.presence_penalty", "-2"));
  ASSERT_TRUE(set(config, "engine.gpu_layers", "-1"));
  ASSERT_TRUE(set(config, "sampling.thinking", "off"));
  ASSERT_TRUE(set(config, "tools", "a,b"));
  ASSERT_TRUE(set(config, "sampling.stop", "a,b"));
  ASSERT_TRUE(set(config, "engine.kv_type", "q4"));
  EXPECT_EQ(config.temperature, 0.5);
  EXPECT_EQ(config.presence_penalty, -2.0);
  EXPECT_EQ(config.gpu_layers, -1);
  EXPECT_EQ(config.thinking, false);
  EXPECT_THAT(*config.tools, ElementsAre("a", "b"));
  EXPECT_THAT(*config.stop, ElementsAre("a,b"));  // A comma may be what is waited for.
  EXPECT_EQ(config.kv_type, "q4");
}

TEST(ConfigKeys, SeveralTextsAreForAList) {
  Config config;
  const std::vector<std::string> texts{"a,b", "c"};
  ASSERT_TRUE(set_text(config, key("tools"), texts));
  EXPECT_THAT(*config.tools, ElementsAre("a", "b", "c"));
  ASSERT_TRUE(set_text(config, key("system"), texts));
  EXPECT_EQ(config.system, "c");
}

TEST(ConfigKeys, WhatIsWrongIsSaidWithWhatIsRight) {
  EXPECT_EQ(refusal("sampling.top_k", "0"), "0 is not a whole number from 1");
  EXPECT_EQ(refusal("sampling.top_k", "1.5"), "\"1.5\" is not a whole number from 1");
  EXPECT_EQ(refusal("sampling.top_k", "99999999999"), "99999999999 is not a whole number from 1");
  EXPECT_EQ(refusal("sampling.temperature", "3"), "3.0 is not a number from 0 to 2");
  EXPECT_EQ(refusal("sampling.temperature", "warm"), "\"warm\" is not a number from 0 to 2");
  EXPECT_EQ(refusal("sampling.temperature", "nan"), "null is not a number from 0 to 2");
  EXPECT_EQ(refusal("sampling.temperature", ""), "\"\" is not a number from 0 to 2");
  EXPECT_EQ(refusal("sampling.top_p", "0"), "0.0 is not a number above 0, up to 1");
  EXPECT_EQ(refusal("engine.threads", "2000"), "2000 is not a whole number from 1 to 1024");
  EXPECT_EQ(refusal("sampling.thinking", "maybe"), "\"maybe\" is not on or off");
  EXPECT_EQ(refusal("engine.kv_type", "f32"), "\"f32\" is not one of f16, q8, q4");
  EXPECT_EQ(refusal("tools", "a,,b"),
            "[\"a\",\"\",\"b\"] is not a list of texts, none of them empty");
}

TEST(ConfigKeys, ValuesHaveTheirType) {
  Config config;
  EXPECT_TRUE(set_value(config, key("sampling.temperature"), json(1)));
  EXPECT_EQ(config.temperature, 1.0);
  EXPECT_THAT(set_value(config, key("sampling.top_k"), json("5")),
              HasReason("config_value_invalid"));
  EXPECT_THAT(set_value(config, key("model"), json(5)), HasReason("config_value_invalid"));
  EXPECT_THAT(set_value(config, key("tools"), json("all")), HasReason("config_value_invalid"));
  EXPECT_THAT(set_value(config, key("tools"), json{1, 2}), HasReason("config_value_invalid"));
  EXPECT_THAT(set_value(config, key("sampling.thinking"), json(1)),
              HasReason("config_value_invalid"));
}

TEST(ConfigKeys, AnUnknownNameHasANearestOne) {
  EXPECT_EQ(nearest_config_key("temperature"), "sampling.temperature");
  EXPECT_EQ(nearest_config_key("engine.temperature"), "sampling.temperature");
  EXPECT_EQ(nearest_config_key("sampling.temprature"), "sampling.temperature");
  EXPECT_EQ(nearest_config_key("modle"), "model");
  EXPECT_EQ(nearest_config_key("xyzzy_and_more"), std::nullopt);
}

}  // namespace
}  // namespace ingle::cli
