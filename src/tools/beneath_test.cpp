#include "tools/beneath.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <string>

#include "ingle/testing/matchers.h"
#include "ingle/testing/temp_dir.h"
#include "ingle/tools/file_root.h"

namespace ingle::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasErrorCode;
using testing::HasReason;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsOkAndHolds;
using ::testing::Not;

TEST(NormalizePath, DropsWhatMeansNothing) {
  EXPECT_THAT(normalize_path("a"), IsOkAndHolds("a"));
  EXPECT_THAT(normalize_path("./a//b/./c/"), IsOkAndHolds("a/b/c"));
  for (const std::string path : {"", ".", "./", "././."}) {
    EXPECT_THAT(normalize_path(path), IsOkAndHolds(".")) << path;
  }
  EXPECT_THAT(normalize_path("...a/..b"), IsOkAndHolds("...a/..b"));
}

TEST(NormalizePath, RefusesWhatLeadsOut) {
  for (const std::string path :
       {"/", "/etc/passwd", "//x", "..", "../x", "a/../b", "a/..", "./.."}) {
    EXPECT_THAT(normalize_path(path), HasReason("path_outside")) << path;
  }
}

TEST(NormalizePath, RefusesWhatNoFileIsCalled) {
  EXPECT_THAT(normalize_path(std::string("a\0b", 3)), HasReason("path_invalid"));
  EXPECT_THAT(normalize_path(std::string(5000, 'a')), HasReason("path_invalid"));
}

TEST(Printable, IsOneLineOfValidUtf8) {
  EXPECT_EQ(printable("a\nb\x7f\xff"), "a?b?\xef\xbf\xbd");
  EXPECT_LE(printable(std::string(5000, 'a')).size(), 203U);
}

TEST(PathParts, AreTakenApartAndJoined) {
  EXPECT_EQ(base_name("a/b/c"), "c");
  EXPECT_EQ(base_name("c"), "c");
  EXPECT_EQ(folder_of("a/b/c"), "a/b");
  EXPECT_EQ(folder_of("c"), ".");
  EXPECT_EQ(join_path(".", "c"), "c");
  EXPECT_EQ(join_path("a", "c"), "a/c");
}

/// Both ways of confinement pass the same tests.
class OpenBeneathTest : public ::testing::TestWithParam<Confinement> {
 protected:
  OpenBeneathTest() : root_(*FileRoot::open(folder_.path() / "root")) {}

  Result<std::string> content_of(const std::string& path) {
    INGLE_TRY(const FileDescriptor file, open_beneath(root_.descriptor(), path, GetParam()));
    std::array<char, 100> buffer{};
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    return std::string(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
  }

  void link(const std::string& target, const std::string& name) const {
    fs::create_symlink(target, folder_.path() / "root" / name);
  }

  /// The folder root/, beside it a secret that nobody may reach.
  struct Folder {
    Folder() {
      dir.write("secret.txt", "secret");
      dir.write("root/notes.txt", "notes");
      dir.write("root/docs/deep/plan.txt", "plan");
    }
    [[nodiscard]] const fs::path& path() const { return dir.path(); }
    testing::TempDir dir;
  };

  const Folder folder_;
  const FileRoot root_;
};

TEST_P(OpenBeneathTest, OpensFilesAndFolders) {
  EXPECT_THAT(content_of("notes.txt"), IsOkAndHolds("notes"));
  EXPECT_THAT(content_of("docs/deep/plan.txt"), IsOkAndHolds("plan"));
  EXPECT_THAT(open_beneath(root_.descriptor(), ".", GetParam()), IsOk());
  EXPECT_THAT(open_beneath(root_.descriptor(), "docs/deep", GetParam()), IsOk());
}

TEST_P(OpenBeneathTest, MissingPathsAreNotFound) {
  for (const std::string path : {"x", "docs/x", "x/y", "notes.txt/x"}) {
    EXPECT_THAT(content_of(path), HasReason("path_not_found")) << path;
  }
  EXPECT_THAT(content_of(std::string(300, 'x')), HasErrorCode(ErrorCode::kNotFound));
}

TEST_P(OpenBeneathTest, LinksThatStayInsideAreFollowed) {
  link("notes.txt", "near");
  link("docs", "folder");
  link("../notes.txt", "docs/up");
  link("../docs/../docs/deep/../../notes.txt", "docs/winding");
  EXPECT_THAT(content_of("near"), IsOkAndHolds("notes"));
  EXPECT_THAT(content_of("folder/deep/plan.txt"), IsOkAndHolds("plan"));
  EXPECT_THAT(content_of("docs/up"), IsOkAndHolds("notes"));
  EXPECT_THAT(content_of("folder/up"), IsOkAndHolds("notes"));
  EXPECT_THAT(content_of("docs/winding"), IsOkAndHolds("notes"));
}

TEST_P(OpenBeneathTest, LinksThatLeadOutAreRefused) {
  link("../secret.txt", "up");
  link("..", "parent");
  link("../root/notes.txt", "out_and_in");
  link((folder_.path() / "secret.txt").string(), "absolute");
  link((folder_.path() / "root/notes.txt").string(), "absolute_inside");
  link("/", "top");
  link("up", "chain");
  link("docs/../../secret.txt", "winding");
  for (const std::string path : {"up", "parent", "parent/secret.txt", "out_and_in", "absolute",
                                 "absolute_inside", "top", "top/etc/passwd", "chain", "winding"}) {
    EXPECT_THAT(content_of(path), HasReason("path_outside")) << path;
  }
}

TEST_P(OpenBeneathTest, EvenAPathWithDotsDoesNotLeadOut) {
  // normalize_path refuses these before; this is the second wall.
  for (const std::string path : {"..", "../secret.txt", "docs/../../secret.txt", "/etc/passwd"}) {
    EXPECT_THAT(content_of(path), Not(IsOkAndHolds("secret"))) << path;
  }
  EXPECT_THAT(content_of("../secret.txt"), HasReason("path_outside"));
}

TEST_P(OpenBeneathTest, CirclesOfLinksEnd) {
  link("b", "a");
  link("a", "b");
  link("self/self", "self");
  EXPECT_THAT(content_of("a"), Not(IsOk()));
  EXPECT_THAT(content_of("self"), Not(IsOk()));
}

TEST_P(OpenBeneathTest, DanglingLinksAreNotFound) {
  link("nowhere", "dangling");
  EXPECT_THAT(content_of("dangling"), HasReason("path_not_found"));
}

TEST_P(OpenBeneathTest, PipesDoNotBlock) {
  ASSERT_EQ(::mkfifo((folder_.path() / "root/pipe").c_str(), 0600), 0);
  EXPECT_THAT(open_beneath(root_.descriptor(), "pipe", GetParam()), IsOk());
}

TEST_P(OpenBeneathTest, MessagesShowNoPathOfThisMachine) {
  link((folder_.path() / "secret.txt").string(), "absolute");
  for (const std::string path : {"absolute", "missing", "notes.txt/x"}) {
    const auto result = content_of(path);
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().to_json().dump(), Not(HasSubstr(folder_.path().string())));
  }
}

INSTANTIATE_TEST_SUITE_P(Confinements, OpenBeneathTest,
                         ::testing::Values(Confinement::kAutomatic, Confinement::kSteps),
                         [](const auto& param) {
                           return param.param == Confinement::kSteps ? "Steps" : "Automatic";
                         });

TEST(FileRoot, RefusesWhatIsNoFolder) {
  const testing::TempDir folder;
  EXPECT_THAT(FileRoot::open(folder.path() / "missing"), HasReason("folder_not_found"));
  EXPECT_THAT(FileRoot::open(folder.write("file", "")), HasReason("not_a_folder"));
}

TEST(FileRoot, StaysTheSameFolderWhenItIsRenamed) {
  const testing::TempDir folder;
  folder.write("old/a.txt", "a");
  const auto root = FileRoot::open(folder.path() / "old");
  ASSERT_THAT(root, IsOk());
  fs::rename(folder.path() / "old", folder.path() / "new");
  folder.write("old/b.txt", "b");
  EXPECT_THAT(open_beneath(root->descriptor(), "a.txt"), IsOk());
  EXPECT_THAT(open_beneath(root->descriptor(), "b.txt"), HasReason("path_not_found"));
}

TEST(ReadFolder, TellsKindsSizesAndLinks) {
  const testing::TempDir folder;
  folder.write("file", "12345");
  folder.write("folder/x", "");
  fs::create_symlink("file", folder.path() / "link");
  fs::create_symlink("/", folder.path() / "out");
  const auto root = FileRoot::open(folder.path());
  const auto content = read_folder(root->descriptor(), ".", 100);
  ASSERT_THAT(content, IsOk());
  EXPECT_FALSE(content->is_cut);
  ASSERT_EQ(content->entries.size(), 4U);
  for (const Entry& entry : content->entries) {
    if (entry.path == "file" || entry.path == "link") {
      EXPECT_EQ(entry.kind, EntryKind::kFile) << entry.path;
      EXPECT_EQ(entry.size, 5) << entry.path;
    } else {
      EXPECT_EQ(entry.kind, entry.path == "folder" ? EntryKind::kFolder : EntryKind::kOther);
      EXPECT_EQ(entry.size, 0);
    }
    EXPECT_EQ(entry.is_link, entry.path == "link" || entry.path == "out") << entry.path;
  }
}

TEST(ReadFolder, IsCutAtItsBound) {
  const testing::TempDir folder;
  folder.write("a", "");
  folder.write("b", "");
  const auto root = FileRoot::open(folder.path());
  EXPECT_TRUE(read_folder(root->descriptor(), ".", 1)->is_cut);
  EXPECT_FALSE(read_folder(root->descriptor(), ".", 2)->is_cut);
}

}  // namespace
}  // namespace ingle::tools
