#include "cli/text/display_width.h"

#include <gtest/gtest.h>

namespace ingle::cli {
namespace {

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("tea"), 3U);
  EXPECT_EQ(display_width("K\u00fcche"), 5U);
  EXPECT_EQ(display_width("\u8336"), 2U);
  EXPECT_EQ(display_width("\U0001f375"), 2U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("a\u200bb"), 2U);
}

TEST(DisplayWidth, FitsTextIntoColumns) {
  EXPECT_EQ(fit_to_width("green tea", 9), "green tea");
  EXPECT_EQ(fit_to_width("green tea", 8), "green...");
  EXPECT_EQ(fit_to_width("\u8336\u8336\u8336", 6), "\u8336\u8336\u8336");
  EXPECT_EQ(fit_to_width("\u8336\u8336\u8336", 5), "\u8336...");
  EXPECT_EQ(fit_to_width("green tea", 2), "..");
}

TEST(DisplayWidth, FindsWhereToBreak) {
  EXPECT_EQ(prefix_of_width("green", 3), 3U);
  EXPECT_EQ(prefix_of_width("green", 9), 5U);
  EXPECT_EQ(prefix_of_width("\u8336\u8336", 3), 3U);
  EXPECT_EQ(prefix_of_width("\u8336", 1), 3U);
  EXPECT_EQ(prefix_of_width("e\u0301e", 1), 3U);
  EXPECT_EQ(prefix_of_width("", 3), 0U);
}

TEST(DisplayWidth, ACutCharacterDoesNoHarm) {
  EXPECT_EQ(display_width("a\xe8"), 2U);
  EXPECT_EQ(display_width("\xff"), 1U);
}

}  // namespace
}  // namespace ingle::cli
