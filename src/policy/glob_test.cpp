#include "ingle/policy/glob.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <string>
#include <string_view>

namespace ingle {
namespace {

/// What the words of the header say, without regard to time.
bool matches_by_definition(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) {
    return text.empty();
  }
  if (pattern.front() == '*') {
    for (std::size_t taken = 0; taken <= text.size(); ++taken) {
      if (matches_by_definition(pattern.substr(1), text.substr(taken))) {
        return true;
      }
    }
    return false;
  }
  return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) &&
         matches_by_definition(pattern.substr(1), text.substr(1));
}

TEST(GlobMatch, TextWithoutWildcardsMatchesItself) {
  EXPECT_TRUE(glob_match("read_file", "read_file"));
  EXPECT_FALSE(glob_match("read_file", "read_files"));
  EXPECT_FALSE(glob_match("read_file", "read_fil"));
  EXPECT_FALSE(glob_match("read_file", "Read_file"));
}

TEST(GlobMatch, StarMatchesAnyCharactersAndNone) {
  EXPECT_TRUE(glob_match("*", ""));
  EXPECT_TRUE(glob_match("*", "anything"));
  EXPECT_TRUE(glob_match("read_*", "read_"));
  EXPECT_TRUE(glob_match("*_file", "read_file"));
  EXPECT_TRUE(glob_match("a*b*c", "a-b-b-c"));
  EXPECT_FALSE(glob_match("a*b*c", "a-c-b"));
}

TEST(GlobMatch, EmptyPatternMatchesOnlyEmptyText) {
  EXPECT_TRUE(glob_match("", ""));
  EXPECT_FALSE(glob_match("", "a"));
}

TEST(GlobMatch, QuestionMarkMatchesOneWholeCharacter) {
  EXPECT_TRUE(glob_match("?.txt", "\xc3\xa4.txt"));
  EXPECT_FALSE(glob_match("??.txt", "\xc3\xa4.txt"));
  EXPECT_FALSE(glob_match("?", ""));
}

TEST(GlobMatch, ManyStarsNeedNoExponentialTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) {
    pattern += "a*";
  }
  EXPECT_FALSE(glob_match(pattern + "b", std::string(5000, 'a')));
}

TEST(GlobMatch, AgreesWithItsDefinition) {
  std::mt19937 random(20260101);
  const auto text_of = [&](std::string_view alphabet, std::size_t max_length) {
    std::string text(random() % (max_length + 1), ' ');
    for (char& c : text) {
      c = alphabet[random() % alphabet.size()];
    }
    return text;
  };
  for (int i = 0; i < 20'000; ++i) {
    const std::string pattern = text_of("ab*?", 8);
    const std::string text = text_of("ab", 10);
    ASSERT_EQ(glob_match(pattern, text), matches_by_definition(pattern, text))
        << pattern << " with " << text;
  }
}

}  // namespace
}  // namespace ingle
