#include "cli/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"
#include "ingle/testing/matchers.h"

namespace ingle::cli {
namespace {

using testing::HasReason;
using testing::IsOkAndHolds;

Settings full_settings() {
  Settings settings{
      .model = "/models/m.gguf",
      .tools = {"a", "b"},
      .root = "/data",
      .system = "Be brief.\n\"Quoted\"",
      .temperature = 0.7,
      .max_tokens = 99,
      .rules = {{"a*", GateEffect::kAllow}, {"b", GateEffect::kAsk}, {"c", GateEffect::kDeny}},
      .threads = 2,
      .context_window = 4096};
  settings.limits.model_calls = 7;
  settings.limits.wall_time = std::chrono::milliseconds(1500);
  settings.limits.error_steps.reset();
  return settings;
}

TEST(Settings, WhatIsWrittenIsReadBack) {
  for (const Settings& settings : {Settings{}, full_settings()}) {
    EXPECT_THAT(settings_from_json(to_json(settings), {}), IsOkAndHolds(settings));
  }
}

TEST(Settings, NothingMeansTheFallback) {
  EXPECT_THAT(settings_from_json(Json(), full_settings()), IsOkAndHolds(full_settings()));
}

TEST(Settings, SomebodyElsesSettingsAreRefused) {
  for (const json& value : {json(1), json::object(), json{{"model", 3}}, json::array()}) {
    EXPECT_THAT(settings_from_json(value, {}), HasReason("settings_invalid")) << value.dump();
  }
  json value = *to_json(full_settings());
  value["limits"]["model_calls"] = "x";
  EXPECT_FALSE(settings_from_json(value, {}));
}

TEST(Settings, AnUnknownEffectIsDeny) {
  json value = *to_json(full_settings());
  value["rules"] = json::array({{{"tools", "x"}, {"effect", "perhaps"}}});
  EXPECT_EQ(settings_from_json(value, {})->rules.at(0).effect, GateEffect::kDeny);
}

TEST(Settings, FlagsReplaceWhatTheyGive) {
  Settings settings = full_settings();
  apply_flags(settings, {});
  EXPECT_EQ(settings, full_settings());
  apply_flags(settings, {.model = "scripted:/x",
                         .tools = std::vector<std::string>{"z"},
                         .system = "",
                         .max_steps = 1,
                         .timeout = 0.25,
                         .rules = {{"q", GateEffect::kAsk}}});
  EXPECT_EQ(settings.model, "scripted:/x");
  EXPECT_THAT(settings.tools, ::testing::ElementsAre("z"));
  EXPECT_EQ(settings.system, "");
  EXPECT_EQ(settings.limits.model_calls, 1);
  EXPECT_EQ(settings.limits.wall_time, std::chrono::milliseconds(250));
  EXPECT_THAT(settings.rules, ::testing::ElementsAre(Rule{"q", GateEffect::kAsk}));
  EXPECT_EQ(settings.root, "/data");
}

TEST(Settings, PathsAreKeptAbsolute) {
  FakeEnvironment environment;
  Settings settings = default_settings(environment);
  EXPECT_TRUE(std::filesystem::path(settings.root).is_absolute());
  apply_flags(settings, {.model = "scripted:replies.jsonl", .root = "."});
  EXPECT_EQ(settings.model,
            "scripted:" + (std::filesystem::current_path() / "replies.jsonl").string());
  EXPECT_TRUE(std::filesystem::path(settings.root).is_absolute());
}

}  // namespace
}  // namespace ingle::cli
