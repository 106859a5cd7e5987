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

class ReadFileTest : public ::testing::Test {
 protected:
  ReadFileTest() {
    folder_.write("notes.txt", "one\ntwo\nthree\n");
    folder_.write("docs/plan.txt", "plan");
  }

  std::shared_ptr<Tool> tool(const FileToolOptions& options = {}) {
    return make_read_file(*FileRoot::open(folder_.path()), options);
  }
  std::string text_of(json arguments) { return value_of(tool(), std::move(arguments)).text; }
  std::string failure(json arguments) { return failure_of(tool(), std::move(arguments)); }

  const testing::TempDir folder_;
};

TEST_F(ReadFileTest, GivesTheWholeText) {
  const ToolValue value = value_of(tool(), {{"path", "notes.txt"}});
  EXPECT_EQ(value.text, "one\ntwo\nthree\n");
  EXPECT_EQ(*value.value,
            json::parse(R"({"path": "notes.txt", "text": "one\ntwo\nthree\n", "lines": 3,
                                          "first_line": 1, "last_line": 3, "is_cut": false})"));
  EXPECT_EQ(text_of({{"path", "docs/plan.txt"}}), "plan");
  EXPECT_EQ(text_of({{"path", "./docs//plan.txt"}}), "plan");
}

TEST_F(ReadFileTest, GivesTheLinesThatAreAskedFor) {
  EXPECT_EQ(text_of({{"path", "notes.txt"}, {"first_line", 2}, {"max_lines", 1}}),
            "two\n[cut: lines 2-2 of 3 shown; go on with first_line 3]");
  EXPECT_EQ(text_of({{"path", "notes.txt"}, {"first_line", 2}}),
            "two\nthree\n[cut: lines 2-3 of 3 shown]");
  EXPECT_EQ(text_of({{"path", "notes.txt"}, {"max_lines", 3}}), "one\ntwo\nthree\n");
  const ToolValue value = value_of(tool(), {{"path", "notes.txt"}, {"max_lines", 1}});
  EXPECT_EQ(value.value->at("text"), "one\n");
  EXPECT_EQ(value.value->at("is_cut"), true);
}

TEST_F(ReadFileTest, FirstLineBehindTheEndIsAFailure) {
  EXPECT_EQ(failure({{"path", "notes.txt"}, {"first_line", 4}}),
            "notes.txt has only 3 lines: first_line 4 is too large.");
  EXPECT_THAT(failure({{"path", "notes.txt"}, {"first_line", 1'000'000'000}}),
              HasSubstr("3 lines"));
}

TEST_F(ReadFileTest, EmptyFileIsSaidToBeEmpty) {
  folder_.write("empty", "");
  const ToolValue value = value_of(tool(), {{"path", "empty"}});
  EXPECT_EQ(value.text, "[empty is empty]");
  EXPECT_EQ(value.value->at("text"), "");
  EXPECT_EQ(value.value->at("lines"), 0);
  EXPECT_THAT(failure({{"path", "empty"}, {"first_line", 2}}), HasSubstr("0 lines"));
}

TEST_F(ReadFileTest, LargeFilesAreCutAtAWholeLine) {
  std::string content;
  for (int i = 1; i <= 5000; ++i) {
    content += "line " + std::to_string(i) + "\n";
  }
  folder_.write("large.txt", content);
  const ToolValue first = value_of(tool(), {{"path", "large.txt"}});
  EXPECT_LE(first.text.size(), (std::size_t{16} << 10U) + 100);
  const auto last = first.value->at("last_line").get<int>();
  EXPECT_THAT(first.text,
              EndsWith("line " + std::to_string(last) + "\n[cut: lines 1-" + std::to_string(last) +
                       " of 5000 shown; go on with first_line " + std::to_string(last + 1) + "]"));
  // Going on as it says gives the whole file.
  std::string joined = first.value->at("text").get<std::string>();
  for (int next = last + 1; next <= 5000;) {
    const ToolValue part = value_of(tool(), {{"path", "large.txt"}, {"first_line", next}});
    joined += part.value->at("text").get<std::string>();
    next = part.value->at("last_line").get<int>() + 1;
  }
  EXPECT_EQ(joined, content);
}

TEST_F(ReadFileTest, LineOfAMegabyteIsCutInside) {
  std::string line;
  while (line.size() < 1'000'000) {
    line += "\xe2\x82\xac";
  }
  folder_.write("wide.txt", "short\n" + line + "\nend\n");
  EXPECT_THAT(text_of({{"path", "wide.txt"}}),
              EndsWith("short\n[cut: lines 1-1 of 3 shown; go on with first_line 2]"));
  const std::string text = text_of({{"path", "wide.txt"}, {"first_line", 2}});
  EXPECT_TRUE(is_valid_utf8(text));
  EXPECT_THAT(text, Not(HasSubstr("\xef\xbf\xbd")));
  EXPECT_THAT(text,
              EndsWith("\xe2\x82\xac\n[cut: line 2 of 3 is longer than 16384 bytes; its beginning "
                       "is shown]"));
}

TEST_F(ReadFileTest, CapIsAnOption) {
  EXPECT_THAT(value_of(tool({.max_read_bytes = 5}), {{"path", "notes.txt"}}).text,
              StartsWith("one\n[cut: lines 1-1 of 3"));
  EXPECT_EQ(value_of(tool({.max_read_bytes = 14}), {{"path", "notes.txt"}}).text,
            "one\ntwo\nthree\n");
}

TEST_F(ReadFileTest, InvalidUtf8IsReplaced) {
  folder_.write("latin1.txt", "caf\xe9 cr\xe8me\n");
  EXPECT_EQ(text_of({{"path", "latin1.txt"}}), "caf\xef\xbf\xbd cr\xef\xbf\xbdme\n");
}

TEST_F(ReadFileTest, ByteOrderMarkIsDropped) {
  folder_.write("bom.txt", "\xef\xbb\xbfhello");
  EXPECT_EQ(text_of({{"path", "bom.txt"}}), "hello");
}

TEST_F(ReadFileTest, BinaryFilesAreRefused) {
  folder_.write("image.png", std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
  folder_.write("utf16.txt", std::string("h\0i\0", 4));
  folder_.write("controls", "\x01\x02\x03\x04 text");
  for (const std::string path : {"image.png", "utf16.txt", "controls"}) {
    EXPECT_EQ(failure({{"path", path}}), path + " is not a text file: it cannot be read.");
  }
}

TEST_F(ReadFileTest, FolderIsAnsweredWithItsFiles) {
  EXPECT_EQ(failure({{"path", "docs"}}),
            "docs is a folder. It has: docs/plan.txt. Read one of its files.");
  EXPECT_EQ(failure({{"path", "."}}),
            "That is a folder. It has: docs/, notes.txt. Read one of its files.");
}

TEST_F(ReadFileTest, MissingFileGetsTheNearestNames) {
  EXPECT_EQ(failure({{"path", "note.txt"}}), "There is no note.txt. Did you mean notes.txt?");
  EXPECT_EQ(failure({{"path", "NOTES.TXT"}}), "There is no NOTES.TXT. Did you mean notes.txt?");
  EXPECT_EQ(failure({{"path", "plan.txt"}}), "There is no plan.txt. Did you mean docs/plan.txt?");
  EXPECT_EQ(failure({{"path", "doc/plan.txt"}}),
            "There is no doc/plan.txt. Did you mean docs/plan.txt?");
  EXPECT_EQ(failure({{"path", "docs/notes.txt"}}),
            "There is no docs/notes.txt. Did you mean notes.txt?");
  EXPECT_EQ(failure({{"path", "docs/quarterly"}}),
            "There is no docs/quarterly. docs has: docs/plan.txt.");
  EXPECT_EQ(failure({{"path", "none/quarterly"}}),
            "There is no none/quarterly. The folder has: docs/, notes.txt.");
}

TEST_F(ReadFileTest, HiddenFilesAreReadAndNotSuggested) {
  folder_.write(".notes.tx", "hidden");
  EXPECT_EQ(text_of({{"path", ".notes.tx"}}), "hidden");
  EXPECT_THAT(failure({{"path", "notes.tx"}}), EndsWith("Did you mean notes.txt?"));
  EXPECT_THAT(failure({{"path", ".note.tx"}}), EndsWith("Did you mean .notes.tx?"));
}

TEST_F(ReadFileTest, WaysOutAreRefused) {
  const testing::TempDir elsewhere;
  elsewhere.write("secret.txt", "secret");
  fs::create_symlink(elsewhere.path() / "secret.txt", folder_.path() / "link");
  fs::create_symlink("../" + elsewhere.path().filename().string(), folder_.path() / "folder_link");
  for (const std::string& path :
       {std::string("link"), std::string("folder_link/secret.txt"), std::string("/etc/passwd"),
        std::string("../") + elsewhere.path().filename().string() + "/secret.txt",
        std::string("docs/../../etc/passwd"), (elsewhere.path() / "secret.txt").string(),
        std::string("/proc/self/environ"), std::string("..")}) {
    EXPECT_THAT(failure({{"path", path}}), HasSubstr("outside the folder")) << path;
  }
  EXPECT_THAT(failure({{"path", std::string("notes.txt\0/x", 12)}}), HasSubstr("not a path"));
}

TEST_F(ReadFileTest, AbsolutePathOfAFileThatIsThereGetsItsName) {
  EXPECT_THAT(failure({{"path", "/notes.txt"}}), EndsWith("Did you mean notes.txt?"));
}

TEST_F(ReadFileTest, LinksInsideAreFollowed) {
  fs::create_symlink("docs/plan.txt", folder_.path() / "link");
  EXPECT_EQ(text_of({{"path", "link"}}), "plan");
}

TEST_F(ReadFileTest, PipesAndSocketsAreRefusedWithoutWaiting) {
  ASSERT_EQ(::mkfifo((folder_.path() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(failure({{"path", "pipe"}}), "pipe is not a regular file: it cannot be read.");
}

TEST_F(ReadFileTest, MessagesShowNoPathOfThisMachine) {
  fs::create_symlink("/etc/passwd", folder_.path() / "link");
  for (const std::string path : {"missing", "docs", "link", "docs/x/y"}) {
    EXPECT_THAT(failure({{"path", path}}), Not(HasSubstr(folder_.path().string())));
  }
}

TEST_F(ReadFileTest, StopRequestEndsIt) {
  CancelSource cancel;
  cancel.cancel(CancelReason::kUser);
  const ToolOutcome outcome = run_tool(tool(), {{"path", "notes.txt"}}, {cancel.token(), {}});
  EXPECT_TRUE(std::holds_alternative<ToolFailure>(outcome));
}

TEST_F(ReadFileTest, IsReadOnlyAndIdempotent) {
  EXPECT_EQ(tool()->traits(), (ToolTraits{.is_read_only = true, .is_idempotent = true}));
}

}  // namespace
}  // namespace ingle::tools
