#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "ingle/core/utf8.h"
#include "ingle/testing/temp_dir.h"
#include "ingle/tools/file_tools.h"
#include "tools/run_tool_fixture.h"

namespace ingle::tools {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class ListFilesTest : public ::testing::Test {
 protected:
  ListFilesTest() {
    folder_.write("notes.txt", "12345");
    folder_.write("b.md", "1");
    folder_.write(".hidden", "secret");
    folder_.write("docs/plan.txt", "");
    folder_.write("docs/deep/end.md", "");
    folder_.write(".git/config", "");
  }

  std::shared_ptr<Tool> tool(const FileToolOptions& options = {}) {
    return make_list_files(*FileRoot::open(folder_.path()), options);
  }

  const testing::TempDir folder_;
};

TEST_F(ListFilesTest, ListsTheTopFolderSorted) {
  const ToolValue value = value_of(tool(), json::object());
  EXPECT_EQ(value.text, "b.md (1 byte)\ndocs/\nnotes.txt (5 bytes)\n");
  EXPECT_EQ(*value.value, json::parse(R"([{"path": "b.md", "kind": "file", "size": 1},
                                          {"path": "docs", "kind": "folder"},
                                          {"path": "notes.txt", "kind": "file", "size": 5}])"));
}

TEST_F(ListFilesTest, CallWithoutArgumentsListsTheTopFolder) {
  EXPECT_THAT(value_of(tool(), nullptr).text, HasSubstr("notes.txt"));
}

TEST_F(ListFilesTest, PathsInAFolderCanBeReadAsTheyStand) {
  EXPECT_EQ(value_of(tool(), {{"path", "docs"}}).text, "docs/deep/\ndocs/plan.txt (0 bytes)\n");
  EXPECT_EQ(value_of(tool(), {{"path", "./docs/"}}).text,
            value_of(tool(), {{"path", "docs"}}).text);
}

TEST_F(ListFilesTest, RecursiveListsFoldersInside) {
  EXPECT_EQ(value_of(tool(), {{"recursive", true}}).text,
            "b.md (1 byte)\ndocs/\ndocs/deep/\ndocs/deep/end.md (0 bytes)\n"
            "docs/plan.txt (0 bytes)\nnotes.txt (5 bytes)\n");
}

TEST_F(ListFilesTest, PatternIsMatchedWithTheName) {
  EXPECT_EQ(value_of(tool(), {{"recursive", true}, {"pattern", "*.md"}}).text,
            "b.md (1 byte)\ndocs/deep/end.md (0 bytes)\n");
  EXPECT_EQ(value_of(tool(), {{"pattern", "?.md"}}).text, "b.md (1 byte)\n");
}

TEST_F(ListFilesTest, PatternWithAFolderIsRefused) {
  EXPECT_THAT(failure_of(tool(), {{"pattern", "docs/*.txt"}}), HasSubstr("path"));
}

TEST_F(ListFilesTest, HiddenNamesNeedAPatternThatAsksForThem) {
  EXPECT_EQ(value_of(tool(), {{"pattern", ".*"}}).text, ".git/\n.hidden (6 bytes)\n");
  EXPECT_THAT(value_of(tool(), {{"pattern", "*hidden"}}).text, StartsWith("[no name matches"));
}

TEST_F(ListFilesTest, NothingToListIsSaid) {
  fs::create_directory(folder_.path() / "empty");
  const ToolValue value = value_of(tool(), {{"path", "empty"}});
  EXPECT_EQ(value.text, "[no files]\n");
  EXPECT_EQ(value.value.dump(), "[]");
  EXPECT_EQ(value_of(tool(), {{"pattern", "*.pdf"}}).text, "[no name matches *.pdf]\n");
}

TEST_F(ListFilesTest, LongListsAreCutWithNotice) {
  for (int i = 0; i < 300; ++i) {
    folder_.write("many/" + std::to_string(1000 + i), "");
  }
  const ToolValue value = value_of(tool(), {{"path", "many"}});
  EXPECT_EQ(value.value->size(), 200U);
  EXPECT_THAT(value.text, HasSubstr("many/1199 "));
  EXPECT_THAT(value.text, Not(HasSubstr("many/1200 ")));
  EXPECT_THAT(value.text,
              EndsWith("[cut: 200 of 300 entries shown; use path or pattern to see others]\n"));
  EXPECT_EQ(value_of(tool({.max_entries = 2}), {{"path", "many"}}).value->size(), 2U);
}

TEST_F(ListFilesTest, LinksAreShownAndNotEntered) {
  fs::create_symlink("docs", folder_.path() / "link");
  fs::create_symlink(".", folder_.path() / "docs/loop");
  fs::create_symlink("/etc", folder_.path() / "out");
  const std::string text = value_of(tool(), {{"recursive", true}}).text;
  EXPECT_THAT(text, HasSubstr("link/\n"));
  EXPECT_THAT(text, Not(HasSubstr("link/plan.txt")));
  EXPECT_THAT(text, HasSubstr("docs/loop/\n"));
  EXPECT_THAT(text, HasSubstr("out (cannot be read)\n"));
  EXPECT_THAT(text, Not(HasSubstr("passwd")));
}

TEST_F(ListFilesTest, PipesAreMarked) {
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  EXPECT_THAT(value_of(tool(), json::object()).text, HasSubstr("pipe (cannot be read)\n"));
}

TEST_F(ListFilesTest, WaysOutAreRefused) {
  fs::create_symlink("/", folder_.path() / "out");
  for (const std::string path : {"..", "/", "/etc", "docs/../..", "out", "out/etc"}) {
    EXPECT_THAT(failure_of(tool(), {{"path", path}}), HasSubstr("outside the folder")) << path;
  }
  EXPECT_THAT(failure_of(tool(), {{"path", std::string("a\0b", 3)}}), HasSubstr("not a path"));
}

TEST_F(ListFilesTest, MissingFolderGetsTheNearestName) {
  EXPECT_EQ(failure_of(tool(), {{"path", "dosc"}}), "There is no dosc. Did you mean docs?");
  EXPECT_EQ(failure_of(tool(), {{"path", "Deep"}}), "There is no Deep. Did you mean docs/deep?");
  EXPECT_EQ(failure_of(tool(), {{"path", "pictures"}}),
            "There is no pictures. The folder has: b.md, docs/, notes.txt.");
}

TEST_F(ListFilesTest, FileIsNotAFolder) {
  EXPECT_EQ(failure_of(tool(), {{"path", "notes.txt"}}), "notes.txt is a file, not a folder.");
}

TEST_F(ListFilesTest, NamesCannotForgeLinesOrBreakUtf8) {
  folder_.write("odd/a\nb.txt (1 byte)", "");
  folder_.write("odd/\xff", "");
  const ToolValue value = value_of(tool(), {{"path", "odd"}});
  EXPECT_THAT(value.text, HasSubstr("odd/a?b.txt (1 byte) (0 bytes)\n"));
  EXPECT_TRUE(is_valid_utf8(value.text));
  EXPECT_NO_THROW(static_cast<void>(value.value->dump()));
}

TEST_F(ListFilesTest, StopRequestEndsIt) {
  CancelSource cancel;
  cancel.cancel(CancelReason::kUser);
  const ToolOutcome outcome = run_tool(tool(), json::object(), {cancel.token(), {}});
  EXPECT_TRUE(std::holds_alternative<ToolFailure>(outcome));
}

TEST_F(ListFilesTest, IsReadOnlyAndIdempotent) {
  EXPECT_EQ(tool()->traits(), (ToolTraits{.is_read_only = true, .is_idempotent = true}));
}

}  // namespace
}  // namespace ingle::tools
