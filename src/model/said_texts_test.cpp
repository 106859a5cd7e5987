#include "model/said_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ingle {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(WordSpans, AreRunsOfWordsWithoutThePunctuationAround) {
  EXPECT_THAT(word_spans("Read \"a.txt\" twice!"), ElementsAre("a.txt", "twice"));
  EXPECT_THAT(word_spans("red bench, green"), ElementsAre("red", "red bench", "red bench, green",
                                                          "bench", "bench, green", "green"));
}

TEST(WordSpans, HaveAtMostSixWordsAndEachStandsOnce) {
  const auto spans = word_spans("b b b b b b b b");
  EXPECT_EQ(spans.size(), 6U);
  EXPECT_EQ(spans.back(), "b b b b b b");
}

TEST(WordSpans, NamesAndQuotesMayBeLonger) {
  EXPECT_THAT(word_spans("Buy The Legend of Zelda: Breath of the Wild now"),
              Contains("The Legend of Zelda: Breath of the Wild"));
  EXPECT_THAT(word_spans("say 'one two three four five six seven eight' twice"),
              Contains("one two three four five six seven eight"));
}

TEST(WordSpans, LeaveOutWhatNoValueLooksLike) {
  const auto spans = word_spans("Find me the museum that opens in Rome for Tom's mother");
  for (const char* span : {"Find", "Find me", "me", "the museum", "museum that",
                           "museum that opens", "opens in Rome", "for"}) {
    EXPECT_THAT(spans, Not(Contains(span))) << span;
  }
  for (const char* span : {"museum", "Rome", "Tom", "Tom's", "mother"}) {
    EXPECT_THAT(spans, Contains(span)) << span;
  }
}

TEST(WordSpans, DoNotCrossAQuotationMark) {
  const auto spans = word_spans("the weapon 'Guardian Sword+' in the game 'Zelda'?");
  EXPECT_THAT(spans, Contains("Guardian Sword+"));
  EXPECT_THAT(spans, Not(Contains("weapon 'Guardian Sword+")));
  EXPECT_THAT(spans, Not(Contains("Guardian Sword+' in the game")));
  EXPECT_THAT(word_spans("titled 'Roe v. Wade'.Include it"), Contains("Roe v. Wade"));
}

TEST(WordSpans, OfNothingAreNone) {
  EXPECT_TRUE(word_spans("").empty());
  EXPECT_TRUE(word_spans(" ... \n").empty());
  EXPECT_TRUE(word_spans("' \" '").empty());
}

TEST(WordSpans, OfLongTextAreBounded) {
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    text += std::to_string(i) + " ";
  }
  EXPECT_LE(word_spans(text).size(), 2400U);
}

TEST(SaidLists, HaveThreeElementsOrMore) {
  EXPECT_THAT(said_lists("I am efficient, easy going and compassionate."),
              Contains(ElementsAre("efficient", "easy going", "compassionate")));
  EXPECT_THAT(said_lists("with red, green, or blue paint"),
              Contains(ElementsAre("red", "green", "blue")));
  EXPECT_THAT(said_lists("red and green"), IsEmpty());
  EXPECT_THAT(said_lists("In Paris, France from July to May"), IsEmpty());
  EXPECT_THAT(said_lists(""), IsEmpty());
}

TEST(SaidLists, StandInBracketsToo) {
  EXPECT_THAT(said_lists("chords(['I', 'V', 'vi'])"), ElementsAre(ElementsAre("I", "V", "vi")));
  EXPECT_THAT(said_lists("[a, b]"), ElementsAre(ElementsAre("a", "b")));
  EXPECT_THAT(said_lists("[a] [ , ] [b"), IsEmpty());
}

TEST(SaidLists, AreBounded) {
  std::string text;
  for (int i = 0; i < 500; ++i) {
    text += "x, y and z w v u. ";
  }
  EXPECT_LE(said_lists(text).size(), 24U);
}

}  // namespace
}  // namespace ingle
