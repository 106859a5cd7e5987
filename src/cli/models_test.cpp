#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cli/cli_fixture.h"
#include "gguf/gguf_test_writer.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

using ::testing::HasSubstr;

class Models : public ::testing::Test {
 protected:
  Models() {
    environment_.variables["INGLE_MODELS"] = (folder_.path() / "models").string();
    environment_.variables["INGLE_MODEL"] = "tea";
  }
  std::filesystem::path model_file(const std::string& name) {
    const auto file = folder_.path() / name;
    std::ofstream(file, std::ios::binary) << testing::small_gguf().bytes();
    return file;
  }
  [[nodiscard]] std::filesystem::path added(const std::string& name) const {
    return folder_.path() / "models" / (name + ".gguf");
  }
  Ran run(const std::vector<std::string>& args, const Terminals& terminals = {}) {
    return run_in(environment_, args, terminals);
  }

  testing::TempDir folder_;
  FakeEnvironment environment_;
};

TEST_F(Models, FileIsAddedListedShownAndDeleted) {
  EXPECT_EQ(run({"models", "add", model_file("tea.gguf").string()}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(added("tea")));
  const Ran list = run({"models", "--json"});
  ASSERT_EQ(list.lines().size(), 1U);
  EXPECT_EQ(list.lines()[0][0]["name"], "tea");
  EXPECT_EQ(list.lines()[0][0]["default"], true);
  EXPECT_THAT(run({"models"}).out, HasSubstr("(default)"));
  EXPECT_THAT(run({"models", "show", "tea"}).out, HasSubstr("architecture"));
  EXPECT_EQ(run({"models", "path", "tea"}).out, added("tea").string() + "\n");
  EXPECT_THAT(run({"models", "rm", "tea", "--yes"}).err, HasSubstr("freed"));
  EXPECT_FALSE(std::filesystem::exists(added("tea")));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "tea.gguf"));
}

TEST_F(Models, NameThatIsAPathIsRefused) {
  const std::string file = model_file("a.gguf").string();
  for (const char* name : {"../b", "/etc/b", "", ".b", "-b", "a/b", "a\nb"}) {
    if (*name != '\0') {
      EXPECT_EQ(run({"models", "add", file, "--name=" + std::string(name)}).code, 2) << name;
    }
    EXPECT_EQ(run({"models", "rm", "--yes", "--", name}).code, 2) << name;
  }
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(Models, NothingIsReplacedUnasked) {
  const std::string file = model_file("tea.gguf").string();
  run({"models", "add", file});
  const std::string other = model_file("other.gguf").string();
  const Ran again = run({"models", "add", other, "--name", "tea"});
  EXPECT_EQ(again.code, 2);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  EXPECT_EQ(run({"models", "add", other, "--name", "tea", "--force"}).code, 0);
  EXPECT_EQ(run({"models", "add", added("tea").string()}).code, 0);  // itself
}

TEST_F(Models, FileThatIsNoModelIsRefused) {
  std::ofstream(folder_.path() / "x.gguf") << "hello";
  EXPECT_EQ(run({"models", "add", (folder_.path() / "x.gguf").string()}).code, 2);
  EXPECT_EQ(run({"models", "add", "/nonexistent.gguf"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(added("x")));
}

TEST_F(Models, DeletingNeedsAYes) {
  run({"models", "add", model_file("tea.gguf").string()});
  EXPECT_EQ(run({"models", "rm", "tea"}).code, 2);
  EXPECT_EQ(run({"models", "rm", "tea"}, {.input = "no\n", .in = true}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(added("tea")));
  EXPECT_EQ(run({"models", "rm", "tea"}, {.input = "yes\n", .in = true}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(added("tea")));
}

TEST_F(Models, UnknownNameTellsTheNearest) {
  run({"models", "add", model_file("tea.gguf").string()});
  const Ran shown = run({"models", "show", "tee"});
  EXPECT_EQ(shown.code, 2);
  EXPECT_THAT(shown.err, HasSubstr("did you mean tea?"));
  EXPECT_THAT(run({"models"}).err, ::testing::Not(HasSubstr("no models")));
}

}  // namespace
}  // namespace ingle::cli
