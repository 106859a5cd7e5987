#include "cli/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cli_fixture.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

using testing::HasErrorCode;
using testing::HasReason;
using ::testing::HasSubstr;

TEST(Places, FoldersFollowTheEnvironmentUnlessConfigured) {
  FakeEnvironment environment;
  EXPECT_EQ(models_folder(environment, {}), "/home/someone/.cache/ingle/models");
  EXPECT_EQ(data_file(environment, {}), "/home/someone/.local/share/ingle/sessions.db");
  EXPECT_EQ(user_config_file(environment), "/home/someone/.config/ingle/ingle.toml");
  environment.variables["XDG_CACHE_HOME"] = "/c";
  environment.variables["XDG_DATA_HOME"] = "/d";
  environment.variables["XDG_CONFIG_HOME"] = "/e";
  EXPECT_EQ(models_folder(environment, {}), "/c/ingle/models");
  EXPECT_EQ(data_file(environment, {}), "/d/ingle/sessions.db");
  EXPECT_EQ(user_config_file(environment), "/e/ingle/ingle.toml");
  environment.variables["INGLE_CACHE"] = "/cache";
  EXPECT_EQ(models_folder(environment, {}), "/cache/models");
  Config config;
  config.models = "/models";
  config.data = "/data.db";
  EXPECT_EQ(models_folder(environment, config), "/models");
  EXPECT_EQ(data_file(environment, config), "/data.db");
}

TEST(Places, AModelsPathIsMeantFromAFolder) {
  EXPECT_EQ(absolute_model("tiny", "/here"), "tiny");
  EXPECT_EQ(absolute_model("./m.gguf", "/here"), "/here/m.gguf");
  EXPECT_EQ(absolute_model("m.gguf", "/here"), "/here/m.gguf");
  EXPECT_EQ(absolute_model("/m", "/here"), "/m");
  EXPECT_EQ(absolute_model("scripted:r.jsonl", "/here"), "scripted:/here/r.jsonl");
}

TEST(Places, AModelIsANameAPathOrAScript) {
  const testing::TempDir folder;
  folder.write("tiny.gguf", "x");
  FakeEnvironment environment;
  Config config;
  config.models = folder.path().string();

  const auto by_name = resolve_model(environment, config, "tiny");
  ASSERT_TRUE(by_name);
  EXPECT_EQ(by_name->path, folder.path() / "tiny.gguf");
  EXPECT_EQ(by_name->name, "tiny");
  // Whether a path is any good is for the engine to say.
  EXPECT_EQ(resolve_model(environment, config, "/nowhere/else.gguf")->name, "else");
  EXPECT_EQ(resolve_model(environment, config, "./file")->path, "./file");
  EXPECT_EQ(resolve_model(environment, config, "local.gguf")->path, "local.gguf");
  const auto script = resolve_model(environment, config, "scripted:a/b.jsonl");
  ASSERT_TRUE(script);
  EXPECT_EQ(script->kind, ModelKind::kScript);
  EXPECT_EQ(script->path, "a/b.jsonl");
}

TEST(Places, AnUnknownNameListsTheModelsThereAre) {
  const testing::TempDir folder;
  folder.write("alpha.gguf", "x");
  folder.write("beta.gguf", "x");
  folder.write("notes.txt", "x");
  FakeEnvironment environment;
  Config config;
  config.models = folder.path().string();

  const auto unknown = resolve_model(environment, config, "zebra-7b");
  EXPECT_THAT(unknown, HasReason("model_unknown"));
  EXPECT_THAT(unknown.error().message, HasSubstr("there is: alpha, beta"));
  EXPECT_THAT(resolve_model(environment, config, "alhpa").error().message,
              HasSubstr("did you mean alpha?"));
}

TEST(Places, WithoutModelsTheAnswerIsHowToGetOne) {
  const testing::TempDir folder;
  FakeEnvironment environment;
  Config config;
  config.models = (folder.path() / "none").string();
  const auto unknown = resolve_model(environment, config, chosen_model(config));
  EXPECT_THAT(unknown, HasErrorCode(ErrorCode::kNotFound));
  EXPECT_THAT(unknown.error().message, HasSubstr("scripts/fetch"));
  EXPECT_THAT(resolve_model(environment, config, ""), HasErrorCode(ErrorCode::kInvalidArgument));
}

}  // namespace
}  // namespace ingle::cli
