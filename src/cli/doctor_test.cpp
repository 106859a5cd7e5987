#include "cli/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/cli_fixture.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

using ::testing::HasSubstr;

TEST(Doctor, CoresComeWithTheWarningAboutSharingThem) {
  EXPECT_EQ(examine_cores(4).status, FindingStatus::kOk);
  EXPECT_THAT(examine_cores(4).advice, HasSubstr("tenfold"));
  EXPECT_EQ(examine_cores(1).status, FindingStatus::kWarning);
}

TEST(Doctor, LittleMemoryIsAWarning) {
  EXPECT_EQ(examine_memory(8'000'000'000, 4'000'000'000).status, FindingStatus::kOk);
  EXPECT_EQ(examine_memory(8'000'000'000, 100'000'000).status, FindingStatus::kWarning);
  EXPECT_EQ(examine_memory(0, 0).status, FindingStatus::kWarning);
}

TEST(Doctor, ACpuWithoutVectorsIsAWarning) {
  EXPECT_EQ(examine_cpu("chip", {"avx2"}).text, "chip (avx2)");
  EXPECT_EQ(examine_cpu("chip", {}).status, FindingStatus::kWarning);
}

TEST(Doctor, ABrokenModelIsNamed) {
  const testing::TempDir folder;
  folder.write("broken.gguf", "not a model");
  FakeEnvironment environment;
  Config config;
  config.models = folder.path().string();
  const auto findings = examine_models(environment, config);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].status, FindingStatus::kWarning);
  EXPECT_THAT(findings[0].text, HasSubstr("broken"));
  EXPECT_EQ(findings[1].status, FindingStatus::kMissing);
}

TEST(Doctor, TheDataFileMustBeWritable) {
  const testing::TempDir folder;
  EXPECT_EQ(examine_data_file(folder.path() / "new/sessions.db").status, FindingStatus::kOk);
  EXPECT_EQ(examine_data_file(folder.write("old.db", "")).status, FindingStatus::kOk);
  EXPECT_EQ(examine_data_file(folder.path()).status, FindingStatus::kMissing);
  EXPECT_EQ(examine_data_file(folder.path() / "old.db" / "x").status, FindingStatus::kMissing);
}

TEST(Doctor, SomethingMissingIsExitCodeOne) {
  const testing::TempDir folder;
  FakeEnvironment environment;
  environment.variables = {{"INGLE_MODELS", folder.path().string()},
                           {"INGLE_DATA", (folder.path() / "s.db").string()}};
  const Ran ran = run_in(environment, {"doctor"});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("missing  default model"));
  EXPECT_THAT(ran.out, HasSubstr("fake v1"));
}

TEST(Doctor, JsonIsOneObject) {
  const testing::TempDir folder;
  folder.write("default.gguf", "");
  FakeEnvironment environment;
  environment.variables = {{"INGLE_MODELS", folder.path().string()},
                           {"INGLE_MODEL", "default"},
                           {"INGLE_DATA", (folder.path() / "s.db").string()}};
  const Ran ran = run_in(environment, {"doctor", "--json"});
  EXPECT_EQ(ran.code, 0);
  ASSERT_EQ(ran.lines().size(), 1U);
  EXPECT_EQ(ran.lines()[0]["ok"], true);
  EXPECT_GE(ran.lines()[0]["findings"].size(), 6U);
}

}  // namespace
}  // namespace ingle::cli
