#include "cli/config/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/cli_fixture.h"
#include "cli/config/config_keys.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

using ::testing::ElementsAre;
using testing::HasReason;
using ::testing::HasSubstr;

class Configurations : public ::testing::Test {
 protected:
  Configurations() {
    std::filesystem::create_directories(folder_.path() / "home/.config/ingle");
    std::filesystem::create_directories(folder_.path() / "project/deep/er");
    environment_.variables["HOME"] = (folder_.path() / "home").string();
    environment_.here = folder_.path() / "project/deep/er";
  }
  void write_user(const std::string& text) { folder_.write("home/.config/ingle/ingle.toml", text); }
  void write_project(const std::string& text) { folder_.write("project/ingle.toml", text); }
  Configuration read(const Flags& flags = {}) {
    auto configuration = read_configuration(environment_, flags);
    EXPECT_TRUE(configuration) << configuration.error().message;
    return configuration ? *configuration : Configuration{};
  }
  std::string origin(const Configuration& configuration, const std::string& key) {
    const auto found = configuration.origins.find(key);
    return found == configuration.origins.end() ? "" : found->second.back();
  }
  testing::TempDir folder_;
  FakeEnvironment environment_;
};

TEST_F(Configurations, WithoutAnySourceNothingIsSet) {
  const Configuration configuration = read();
  EXPECT_EQ(configuration.values, Config());
  EXPECT_TRUE(configuration.origins.empty());
  ASSERT_EQ(configuration.sources.size(), 2U);
  EXPECT_FALSE(configuration.sources[0].is_there);
}

TEST_F(Configurations, TheStrongerSourceWins) {
  write_user("system = \"user\"\n[sampling]\ntop_k = 1\nseed = 1\ntemperature = 0.1\nmin_p = 0.1");
  write_project("[sampling]\ntop_k = 2\nseed = 2\ntemperature = 0.2");
  environment_.variables["INGLE_TOP_K"] = "3";
  environment_.variables["INGLE_SEED"] = "3";
  Flags flags;
  flags.values.top_k = 4;
  const Configuration configuration = read(flags);
  EXPECT_EQ(configuration.values.top_k, 4);
  EXPECT_EQ(configuration.values.seed, 3);
  EXPECT_EQ(configuration.values.temperature, 0.2);
  EXPECT_EQ(configuration.values.min_p, 0.1);
  EXPECT_EQ(configuration.values.system, "user");
  EXPECT_EQ(origin(configuration, "sampling.top_k"), "--top-k");
  EXPECT_EQ(origin(configuration, "sampling.seed"), "INGLE_SEED");
  EXPECT_THAT(origin(configuration, "sampling.temperature"), HasSubstr("project/ingle.toml:4"));
  EXPECT_EQ(origin(configuration, "sampling.min_p"), "~/.config/ingle/ingle.toml:6");
}

TEST_F(Configurations, RulesOfAllSourcesHold) {
  write_user("[rules]\ndeny = [\"shell\"]\nallow = [\"x\"]");
  write_project("[rules]\ndeny = [\"y\"]");
  Flags flags;
  flags.values.allow = {"shell"};
  const Configuration configuration = read(flags);
  EXPECT_THAT(rules_of(configuration.values),
              ElementsAre(Rule{"x", GateEffect::kAllow}, Rule{"shell", GateEffect::kAllow},
                          Rule{"shell", GateEffect::kDeny}, Rule{"y", GateEffect::kDeny}));
  EXPECT_EQ(configuration.origins.at("rules.deny").size(), 2U);
}

TEST_F(Configurations, TheNearestProjectFileCounts) {
  write_project("[sampling]\ntop_k = 2");
  folder_.write("project/deep/ingle.toml", "[sampling]\ntop_k = 3");
  EXPECT_EQ(read().values.top_k, 3);
  environment_.here = folder_.path() / "project";
  EXPECT_EQ(read().values.top_k, 2);
}

TEST_F(Configurations, AGivenFileStandsForTheOthers) {
  write_user("[sampling]\ntop_k = 1");
  write_project("[sampling]\nseed = 1");
  folder_.write("project/deep/er/mine.toml", "[rules]\nallow = [\"a\"]");
  Flags flags;
  flags.file = "mine.toml";
  const Configuration given = read(flags);
  EXPECT_EQ(given.values.top_k, std::nullopt);
  EXPECT_THAT(*given.values.allow, ElementsAre("a"));
  flags.file = "none";
  EXPECT_EQ(read(flags).values, Config());
  environment_.variables["INGLE_CONFIG"] = "none";
  EXPECT_EQ(read().values, Config());
  flags.file = "missing.toml";
  EXPECT_THAT(read_configuration(environment_, flags), HasReason("config_missing"));
}

TEST_F(Configurations, AProjectsFileIsAStrangers) {
  write_project("[rules]\nallow = [\"*\"]");
  EXPECT_THAT(read_configuration(environment_, {}), HasReason("config_not_allowed"));
}

TEST_F(Configurations, AWrongVariableIsNamed) {
  environment_.variables["INGLE_TOP_K"] = "many";
  const auto read = read_configuration(environment_, {});
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "INGLE_TOP_K: \"many\" is not a whole number from 1");
}

TEST_F(Configurations, PathsOfFlagsAndVariablesAreMeantFromHere) {
  environment_.variables["INGLE_MODEL"] = "./m.gguf";
  Flags flags;
  flags.values.root = "..";
  const Configuration configuration = read(flags);
  EXPECT_EQ(configuration.values.model, (environment_.here / "m.gguf").string());
  EXPECT_EQ(configuration.values.root, (folder_.path() / "project/deep/").string());
}

TEST_F(Configurations, ASessionKeepsItsAgentUnlessFlagsSayOtherwise) {
  write_user("data = \"/here.db\"\n[sampling]\ntop_k = 1\nseed = 1");
  Flags flags;
  flags.values.seed = 9;
  flags.values.root = ".";
  const Configuration configuration = read(flags);
  Config logged;
  logged.model = "m";
  logged.top_k = 5;
  logged.seed = 5;
  logged.root = "/r";
  logged.deny = {"a"};
  const auto config = session_config(settings_json(logged), configuration, flags);
  ASSERT_TRUE(config);
  EXPECT_EQ(config->top_k, 5);
  EXPECT_EQ(config->seed, 9);
  EXPECT_EQ(config->root, (environment_.here / ".").lexically_normal().string());
  EXPECT_EQ(config->data, "/here.db");
  EXPECT_THAT(*config->deny, ElementsAre("a"));

  const auto fresh = session_config(Json(), configuration, flags);
  ASSERT_TRUE(fresh);
  EXPECT_EQ(*fresh, configuration.values);
}

TEST_F(Configurations, PathsAreShownAsPeopleWriteThem) {
  EXPECT_EQ(shown_path(environment_, environment_.here / "a/b"), "a/b");
  EXPECT_EQ(shown_path(environment_, folder_.path() / "home/x"), "~/x");
  EXPECT_EQ(shown_path(environment_, "/etc/x"), "/etc/x");
}

}  // namespace
}  // namespace ingle::cli
