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

TEST(Places, FoldersFollowTheEnvironment) {
  FakeEnvironment environment;
  EXPECT_EQ(models_folder(environment), "/home/someone/.cache/ingle/models");
  EXPECT_EQ(data_file(environment), "/home/someone/.local/share/ingle/sessions.db");
  environment.variables["XDG_CACHE_HOME"] = "/c";
  environment.variables["XDG_DATA_HOME"] = "/d";
  EXPECT_EQ(models_folder(environment), "/c/ingle/models");
  EXPECT_EQ(data_file(environment), "/d/ingle/sessions.db");
  environment.variables["INGLE_CACHE"] = "/cache";
  EXPECT_EQ(models_folder(environment), "/cache/models");
  environment.variables["INGLE_MODELS"] = "/models";
  environment.variables["INGLE_DATA"] = "/data.db";
  EXPECT_EQ(models_folder(environment), "/models");
  EXPECT_EQ(data_file(environment), "/data.db");
}

TEST(Places, AModelIsANameAPathOrAScript) {
  const testing::TempDir folder;
  folder.write("tiny.gguf", "x");
  FakeEnvironment environment;
  environment.variables["INGLE_MODELS"] = folder.path().string();

  const auto by_name = resolve_model(environment, "tiny");
  ASSERT_TRUE(by_name);
  EXPECT_EQ(by_name->path, folder.path() / "tiny.gguf");
  EXPECT_EQ(by_name->name, "tiny");
  // Whether a path is any good is for the engine to say.
  EXPECT_EQ(resolve_model(environment, "/nowhere/else.gguf")->name, "else");
  EXPECT_EQ(resolve_model(environment, "./file")->path, "./file");
  EXPECT_EQ(resolve_model(environment, "local.gguf")->path, "local.gguf");
  const auto script = resolve_model(environment, "scripted:a/b.jsonl");
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
  environment.variables["INGLE_MODELS"] = folder.path().string();

  const auto unknown = resolve_model(environment, "zebra-7b");
  EXPECT_THAT(unknown, HasReason("model_unknown"));
  EXPECT_THAT(unknown.error().message, HasSubstr("there is: alpha, beta"));
  EXPECT_THAT(resolve_model(environment, "alhpa").error().message,
              HasSubstr("did you mean alpha?"));
}

TEST(Places, WithoutModelsTheAnswerIsHowToGetOne) {
  const testing::TempDir folder;
  FakeEnvironment environment;
  environment.variables["INGLE_MODELS"] = (folder.path() / "none").string();
  const auto unknown = resolve_model(environment, default_model(environment));
  EXPECT_THAT(unknown, HasErrorCode(ErrorCode::kNotFound));
  EXPECT_THAT(unknown.error().message, HasSubstr("scripts/fetch"));
  EXPECT_THAT(resolve_model(environment, ""), HasErrorCode(ErrorCode::kInvalidArgument));
}

}  // namespace
}  // namespace ingle::cli
