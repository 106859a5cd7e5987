#include "ingle/tool/nearest_name.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ingle {
namespace {

const std::vector<std::string> kTools{"list_files", "read_file", "calculator"};

TEST(EditDistance, CountsTheSmallestNumberOfEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("same", "same"), 0U);
}

TEST(EditDistance, SwappedNeighboursAreOneEdit) {
  EXPECT_EQ(edit_distance("raed", "read"), 1U);
  EXPECT_EQ(edit_distance("ab", "ba"), 1U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);  // No character is changed twice.
}

TEST(NearestName, FindsATypingError) {
  EXPECT_EQ(nearest_name("raed_file", kTools), "read_file");
  EXPECT_EQ(nearest_name("calculater", kTools), "calculator");
  EXPECT_EQ(nearest_name("list_file", kTools), "list_files");
}

TEST(NearestName, IgnoresCaseAndJoiningCharacters) {
  EXPECT_EQ(nearest_name("ReadFile", kTools), "read_file");
  EXPECT_EQ(nearest_name("LIST-FILES", kTools), "list_files");
}

TEST(NearestName, FindsNothingThatIsTooDifferent) {
  EXPECT_EQ(nearest_name("send_mail", kTools), std::nullopt);
  EXPECT_EQ(nearest_name("", kTools), std::nullopt);
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{"y"}), std::nullopt);
  EXPECT_EQ(nearest_name("read_file", std::vector<std::string>{}), std::nullopt);
}

TEST(NearestName, TakesTheFirstOfEquallyNearNames) {
  EXPECT_EQ(nearest_name("file", std::vector<std::string>{"file1", "file2"}), "file1");
}

TEST(NearestName, LongNamesAreNotCompared) {
  const std::string name(300, 'a');
  EXPECT_EQ(nearest_name(name, std::vector<std::string>{name}), std::nullopt);
}

}  // namespace
}  // namespace ingle
