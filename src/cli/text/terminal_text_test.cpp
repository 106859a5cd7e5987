#include "cli/text/terminal_text.h"

#include <gtest/gtest.h>

namespace ingle::cli {
namespace {

TEST(TerminalText, ControlCharactersAreWrittenOut) {
  EXPECT_EQ(escape_controls("a\x1b[31mb"), "a\\x1b[31mb");
  EXPECT_EQ(escape_controls(std::string("\0\x07\r\x7f", 4)), "\\x00\\x07\\x0d\\x7f");
}

TEST(TerminalText, LineFeedsAndTabsStay) { EXPECT_EQ(escape_controls("a\n\tb"), "a\n\tb"); }

TEST(TerminalText, C1ControlsAreWrittenOut) {
  EXPECT_EQ(escape_controls("a\xc2\x9b"
                            "31m"),
            "a\\u009b31m");
}

TEST(TerminalText, OtherCharactersStay) {
  const std::string text = "gr\xc3\xbc\xc3\x9f \xe2\x82\xac \xf0\x9f\x98\x80 \xc2\xa0";
  EXPECT_EQ(escape_controls(text), text);
}

TEST(TerminalText, OneLineHasNoLineFeed) { EXPECT_EQ(one_line("a\nb\r\nc"), "a\\nb\\x0d\\nc"); }

TEST(TerminalText, ShortLinesAreCutBetweenCharacters) {
  EXPECT_EQ(short_line("abc", 3), "abc");
  EXPECT_EQ(short_line("ab\xc3\xbc", 3), "ab...");
}

TEST(TerminalText, ShellQuotingKeepsPlainWordsAsTheyAre) {
  EXPECT_EQ(shell_quoted("/tmp/a-b_c.db"), "/tmp/a-b_c.db");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_quoted("~/x"), "'~/x'");
}

TEST(TerminalText, SizesAreReadable) {
  EXPECT_EQ(size_text(0), "0 bytes");
  EXPECT_EQ(size_text(213), "213 bytes");
  EXPECT_EQ(size_text(1500), "1.5 kB");
  EXPECT_EQ(size_text(98'362'432), "98.4 MB");
  EXPECT_EQ(size_text(139'000'000'000), "139 GB");
}

}  // namespace
}  // namespace ingle::cli
