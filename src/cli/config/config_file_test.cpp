#include "cli/config/config_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "ingle/testing/matchers.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

using ::testing::ElementsAre;
using testing::HasReason;
using ::testing::HasSubstr;

class ConfigFiles : public ::testing::Test {
 protected:
  Result<ConfigFile> read(const std::string& text, ConfigTrust trust = ConfigTrust::kUser) {
    folder_.write("ingle.toml", text);
    return read_config_file({.file = folder_.path() / "ingle.toml",
                             .shown = "ingle.toml",
                             .trust = trust,
                             .home = "/home/someone"});
  }
  std::string refusal(const std::string& text) {
    const auto file = read(text);
    return file ? "no error" : file.error().message;
  }
  testing::TempDir folder_;
};

TEST_F(ConfigFiles, AFileSetsWhatItNames) {
  const auto file = read(R"(model = "tiny"
tools = ["read_file", "calculator"]

[limits]
timeout = 60

[sampling]
temperature = 0.7
thinking = false
stop = ["a,b"]

[rules]
allow = ["write_*"]
)");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->values.model, "tiny");
  EXPECT_THAT(*file->values.tools, ElementsAre("read_file", "calculator"));
  EXPECT_EQ(file->values.timeout, 60.0);
  EXPECT_EQ(file->values.temperature, 0.7);
  EXPECT_EQ(file->values.thinking, false);
  EXPECT_THAT(*file->values.stop, ElementsAre("a,b"));
  EXPECT_EQ(file->lines.at("model"), 1);
  EXPECT_EQ(file->lines.at("sampling.temperature"), 8);
  EXPECT_EQ(file->lines.size(), 7U);
}

TEST_F(ConfigFiles, PathsAreMeantFromTheFile) {
  const auto file = read(R"(model = "./models/m.gguf"
root = "notes"
data = "~/sessions.db"
models = "/m"
system = "notes")");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->values.model, (folder_.path() / "models/m.gguf").string());
  EXPECT_EQ(file->values.root, (folder_.path() / "notes").string());
  EXPECT_EQ(file->values.data, "/home/someone/sessions.db");
  EXPECT_EQ(file->values.models, "/m");
  EXPECT_EQ(file->values.system, "notes");
}

TEST_F(ConfigFiles, AnUnknownKeyIsAnErrorThatNamesTheNearest) {
  EXPECT_EQ(refusal("\nmodle = \"x\""), "ingle.toml:2: there is no key modle; did you mean model?");
  EXPECT_EQ(refusal("temperature = 1"),
            "ingle.toml:1: there is no key temperature; did you mean sampling.temperature?");
  EXPECT_EQ(refusal("[sampling]\ntop_l = 1"),
            "ingle.toml:2: there is no key sampling.top_l; did you mean sampling.top_k?");
  EXPECT_THAT(refusal("[xyzzy_and_more]\na = 1"), HasSubstr("ingle config lists the keys"));
  EXPECT_THAT(refusal("[[sampling]]\ntop_k = 1"), HasSubstr("there is no key sampling"));
  EXPECT_THAT(refusal("sampling = 3"), HasSubstr("there is no key sampling"));
}

TEST_F(ConfigFiles, AWrongValueIsAnErrorWithItsPlace) {
  EXPECT_EQ(refusal("[sampling]\n\ntop_k = 0"),
            "ingle.toml:3: sampling.top_k: 0 is not a whole number from 1");
  EXPECT_THAT(refusal("model = 1979-05-27"), HasSubstr("model: {} is not a text"));
  EXPECT_THAT(refusal("tools = [[\"a\"]]"), HasSubstr("is not a list of texts"));
  EXPECT_THAT(refusal("[sampling]\ntemperature = inf"), HasSubstr("not a number from 0 to 2"));
}

TEST_F(ConfigFiles, WhatIsNoTomlIsAnErrorWithItsLine) {
  EXPECT_THAT(refusal("a = 1\n= 2"), HasSubstr("ingle.toml:2: "));
  EXPECT_THAT(read("model = \"a\"\nmodel = \"b\""), HasReason("config_syntax"));
  EXPECT_THAT(read(std::string("\0\x01\xff", 3)), HasReason("config_syntax"));
  EXPECT_THAT(read("a = " + std::string(100'000, '[')), HasReason("config_syntax"));
  EXPECT_TRUE(read(""));
}

TEST_F(ConfigFiles, AProjectsFileAllowsNothing) {
  EXPECT_THAT(read("[rules]\nallow = [\"*\"]", ConfigTrust::kProject),
              HasReason("config_not_allowed"));
  EXPECT_THAT(read("root = \"..\"", ConfigTrust::kProject), HasReason("config_not_allowed"));
  EXPECT_THAT(read("root = \"/\"", ConfigTrust::kProject), HasReason("config_not_allowed"));
  EXPECT_TRUE(read("root = \".\"", ConfigTrust::kProject));
  EXPECT_TRUE(read("root = \"notes/../more\"", ConfigTrust::kProject));
  EXPECT_TRUE(read("[rules]\ndeny = [\"*\"]\nask = [\"*\"]", ConfigTrust::kProject));
}

TEST_F(ConfigFiles, AProjectsRootCannotLeaveByALink) {
  std::filesystem::create_directory_symlink("/", folder_.path() / "way_out");
  EXPECT_THAT(read("root = \"way_out\"", ConfigTrust::kProject), HasReason("config_not_allowed"));
}

TEST_F(ConfigFiles, AFileThatCannotBeReadIsAnError) {
  const auto at = [](const std::filesystem::path& path) {
    return read_config_file({.file = path, .shown = "x"});
  };
  EXPECT_THAT(at(folder_.path() / "none"), HasReason("config_missing"));
  EXPECT_THAT(at(folder_.path()), HasReason("config_unreadable"));
  EXPECT_THAT(read(std::string((1U << 20U) + 1, '#')), HasReason("config_too_large"));
}

TEST_F(ConfigFiles, AnotherUsersFileIsRefused) {
  if (::geteuid() != 0) {
    GTEST_SKIP() << "only root can give a file away";
  }
  const auto path = folder_.path() / "ingle.toml";
  folder_.write("ingle.toml", "model = \"x\"");
  ASSERT_EQ(::chown(path.c_str(), 65534, 65534), 0);
  EXPECT_THAT(read_config_file({.file = path, .shown = "x"}), HasReason("config_foreign"));
}

}  // namespace
}  // namespace ingle::cli
