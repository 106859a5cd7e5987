#include "cli/text/word_wrap.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ingle::cli {
namespace {

std::string wrapped(const std::vector<std::string>& pieces, std::size_t width) {
  WordWrap wrap;
  std::string text;
  for (const std::string& piece : pieces) {
    text += wrap.feed(piece, width);
  }
  return text + wrap.finish(width);
}

TEST(WordWrap, BreaksBetweenWords) {
  EXPECT_EQ(wrapped({"green tea is hot"}, 9), "green tea\nis hot");
  EXPECT_EQ(wrapped({"green tea is hot"}, 8), "green\ntea is\nhot");
  EXPECT_EQ(wrapped({"green tea"}, 80), "green tea");
}

TEST(WordWrap, IsTheSameHoweverTextIsCut) {
  const std::string text = "The team meeting is on Tuesday.\n\n  * one\n  * two K\u00fcche\n";
  std::vector<std::string> letters;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = (static_cast<unsigned char>(text[i]) & 0x80U) != 0 ? 2 : 1;
    letters.push_back(text.substr(i, length));
    i += length;
  }
  for (const std::size_t width : {5U, 9U, 12U, 80U}) {
    EXPECT_EQ(wrapped(letters, width), wrapped({text}, width));
  }
  EXPECT_EQ(wrapped(letters, 80), text);
}

TEST(WordWrap, KeepsBackAWordThatMayGrow) {
  WordWrap wrap;
  EXPECT_EQ(wrap.feed("green te", 9), "green");
  EXPECT_EQ(wrap.feed("apot", 9), "");
  EXPECT_EQ(wrap.feed(" ", 9), "\nteapot");
  EXPECT_EQ(wrap.finish(9), "");
}

TEST(WordWrap, LineFeedsAndIndentationStay) {
  EXPECT_EQ(wrapped({"a\n\n    b  c\n"}, 80), "a\n\n    b  c\n");
  EXPECT_EQ(wrapped({"a\tb"}, 80), "a       b");
}

TEST(WordWrap, AWordThatIsTooLongIsNotHeldBack) {
  const std::string url(200, 'u');
  WordWrap wrap;
  EXPECT_GE(wrap.feed(url, 80).size(), 150U);
  EXPECT_EQ(wrapped({"ab"}, 1), "ab");
}

TEST(WordWrap, WideCharactersBreakAnywhere) {
  EXPECT_EQ(wrapped({"\u8336\u8336\u8336"}, 4), "\u8336\u8336\n\u8336");
  WordWrap wrap;
  EXPECT_EQ(wrap.feed("\u8336", 80), "\u8336");
}

TEST(WordWrap, TheNextLineBeginsBehindTheEnd) {
  WordWrap wrap;
  (void)wrap.feed("green ", 9);
  (void)wrap.finish(9);
  EXPECT_EQ(wrap.feed("teapot ", 9), "teapot");
}

}  // namespace
}  // namespace ingle::cli
