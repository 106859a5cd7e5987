#include "ingle/testing/temp_dir.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace ingle::testing {
namespace {

TEST(TempDir, IsGoneWithAllThatIsInIt) {
  std::filesystem::path path;
  {
    const TempDir folder;
    path = folder.path();
    EXPECT_EQ(folder.write("a/b.txt", "12345"), path / "a/b.txt");
    EXPECT_EQ(std::filesystem::file_size(path / "a/b.txt"), 5U);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TempDir, EachIsAnotherFolder) {
  const TempDir a;
  const TempDir b;
  EXPECT_NE(a.path(), b.path());
  EXPECT_TRUE(std::filesystem::is_empty(a.path()));
}

}  // namespace
}  // namespace ingle::testing
