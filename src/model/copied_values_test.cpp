#include "model/copied_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingle/core/result.h"

namespace ingle {
namespace {

using ::testing::ElementsAre;

Json schema(std::string_view text) { return parse_json(text).value(); }

TEST(WordSpans, AreRunsOfWordsWithoutThePunctuationAround) {
  EXPECT_THAT(word_spans("Read \"a.txt\", please!"),
              ElementsAre("Read", "Read \"a.txt", "Read \"a.txt\", please", "a.txt",
                          "a.txt\", please", "please"));
}

TEST(WordSpans, HaveAtMostSixWordsAndEachStandsOnce) {
  const auto spans = word_spans("a a a a a a a a");
  EXPECT_EQ(spans.size(), 6U);
  EXPECT_EQ(spans.back(), "a a a a a a");
}

TEST(WordSpans, OfNothingAreNone) {
  EXPECT_TRUE(word_spans("").empty());
  EXPECT_TRUE(word_spans(" ... \n").empty());
}

TEST(WordSpans, OfLongTextAreBounded) {
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    text += std::to_string(i) + " ";
  }
  EXPECT_LE(word_spans(text).size(), 1200U);
}

TEST(SpansWithin, KeepsWhatStandsInTheOtherTextAsWholeWords) {
  EXPECT_THAT(spans_within({"team", "a.txt", "b.txt", "red bench"},
                           "There is no team.txt, but a.txt; a red bench too."),
              ElementsAre("a.txt", "red bench"));
}

TEST(LimitedTo, FreeStringsOnlyAreLimited) {
  EXPECT_EQ(limited_to(schema(R"({"type":"object","properties":{
                   "a":{"type":"string"},"b":{"type":"integer"},
                   "c":{"type":"string","pattern":"x"},"d":{"enum":["y"]},
                   "e":{"type":"array","items":{"type":"string"}}}})"),
                       {"v"}),
            schema(R"({"type":"object","properties":{
                   "a":{"type":"string","enum":["v"]},"b":{"type":"integer"},
                   "c":{"type":"string","pattern":"x"},"d":{"enum":["y"]},
                   "e":{"type":"array","items":{"type":"string","enum":["v"]}}}})"));
}

TEST(LimitedTo, NoValuesLimitNothing) {
  const Json given = schema(R"({"type":"string"})");
  EXPECT_EQ(limited_to(given, {}), given);
}

}  // namespace
}  // namespace ingle
