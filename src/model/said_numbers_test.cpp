#include "model/said_numbers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ingle {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<double> values(std::string_view text) {
  std::vector<double> result;
  for (const SaidNumber& number : said_numbers(text).all) {
    result.push_back(number.value);
  }
  return result;
}

TEST(SaidNumbers, AreDigitsAndWords) {
  EXPECT_THAT(values("3.14 and 10, three plants"), ElementsAre(3.14, 10, 3));
  EXPECT_THAT(values("12,000 miles, $5000, 2 million, two hundred"),
              ElementsAre(12000, 5000, 2e6, 200));
  EXPECT_THAT(values("from x = -2 to 3, 1871-1945"), ElementsAre(-2, 3, 1871, 1945));
  EXPECT_THAT(values("the 16th century, 6mm"), ElementsAre(16, 6));
  EXPECT_THAT(values("building B1004, x2, often"), IsEmpty());
  EXPECT_THAT(values(""), IsEmpty());
  EXPECT_THAT(values("v1.2.3"), ElementsAre(2.3));
  EXPECT_THAT(values("1."), ElementsAre(1));
  EXPECT_THAT(values("1e-9 and 2E3, 5em"), ElementsAre(1e-9, 2000, 5));
}

TEST(SaidNumbers, PercentsAreMarked) {
  EXPECT_THAT(said_numbers("3% of 5 and then 4 percent").all,
              ElementsAre(SaidNumber{.value = 3, .is_percent = true}, SaidNumber{.value = 5},
                          SaidNumber{.value = 4, .is_percent = true}));
}

TEST(SaidNumbers, RunsAreLists) {
  EXPECT_THAT(said_numbers("A with 12, 24, 36 and B with 15, 30, 45").lists,
              ElementsAre(ElementsAre(12, 24, 36), ElementsAre(15, 30, 45)));
  EXPECT_THAT(said_numbers("cash_flows=[200,300,-400]").lists,
              ElementsAre(ElementsAre(200, 300, -400)));
  EXPECT_THAT(said_numbers("2nd, 3rd and 4th floors").lists, ElementsAre(ElementsAre(2, 3, 4)));
  EXPECT_THAT(said_numbers("30 feet by 12 feet").lists, IsEmpty());
  EXPECT_THAT(said_numbers("5, 6").lists, ElementsAre(ElementsAre(5, 6)));
  EXPECT_THAT(said_numbers("1, 2 of 3").all,
              ElementsAre(SaidNumber{.value = 1, .is_in_list = true},
                          SaidNumber{.value = 2, .is_in_list = true}, SaidNumber{.value = 3}));
}

TEST(SaidNumbers, OfLongTextAreBounded) {
  std::string text;
  for (int i = 0; i < 5000; ++i) {
    text += "7 ";
  }
  EXPECT_EQ(said_numbers(text).all.size(), 100U);
}

}  // namespace
}  // namespace ingle
