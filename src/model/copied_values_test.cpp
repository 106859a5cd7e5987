#include "model/copied_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ingle/core/result.h"

namespace ingle {
namespace {

using ::testing::ElementsAre;

Json schema(std::string_view text) { return parse_json(text).value(); }

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
                       {.texts = {"v"}}),
            schema(R"({"type":"object","properties":{
                   "a":{"type":"string","enum":["v"]},"b":{"type":"integer"},
                   "c":{"type":"string","pattern":"x"},"d":{"enum":["y"]},
                   "e":{"type":"array","items":{"type":"string","enum":["v"]}}}})"));
}

TEST(LimitedTo, FreeNumbersAreLimitedIfEnoughWereSaid) {
  const Json given = schema(R"({"type":"object","properties":{
      "i":{"type":"integer"},"n":{"type":"number"},"b":{"type":"integer","minimum":1}}})");
  SaidValues values{.numbers = said_numbers("5% of 2000, or of 1.5, or of 2000")};
  values.numbers_wanted = 5;
  EXPECT_EQ(limited_to(given, values), given);
  values.numbers_wanted = 3;
  EXPECT_EQ(limited_to(given, values), schema(R"({"type":"object","properties":{
      "i":{"type":"integer","enum":[5,2000]},"n":{"type":"number","enum":[0.05,2000,1.5]},
      "b":{"type":"integer","minimum":1}}})"));
}

TEST(LimitedTo, NumbersOfListsAreNoNumbersIfThereAreOthers) {
  const Json given = schema(R"({"type":"integer"})");
  SaidValues values{.numbers = said_numbers("5 of 1, 2")};
  values.numbers_wanted = 1;
  EXPECT_EQ(limited_to(given, values), schema(R"({"type":"integer","enum":[5]})"));
  values.numbers_wanted = 2;
  EXPECT_EQ(limited_to(given, values), schema(R"({"type":"integer","enum":[5,1,2]})"));
}

TEST(LimitedTo, AListIsOneThatWasSaid) {
  const Json given = schema(R"({"type":"object","properties":{
      "n":{"type":"array","items":{"type":"number"}},
      "t":{"type":"array","items":{"type":"string"}}}})");
  SaidValues values{.numbers = said_numbers("1, 2 and 3.5")};
  values.lists = {{"a", "b", "c"}};
  EXPECT_EQ(limited_to(given, values), schema(R"({"type":"object","properties":{
      "n":{"enum":[[1,2,3.5]]},"t":{"enum":[["a","b","c"]]}}})"));
}

TEST(LimitedTo, NoValuesLimitNothing) {
  const Json given = schema(R"({"type":"string"})");
  EXPECT_EQ(limited_to(given, {}), given);
}

}  // namespace
}  // namespace ingle
