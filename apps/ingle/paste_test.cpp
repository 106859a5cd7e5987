#include "ingle/paste.h"

#include <gtest/gtest.h>

#include <string>

namespace ingle::app {
namespace {

TEST(Pastes, AShortOneIsItsText) {
  Pastes pastes;
  EXPECT_EQ(pastes.take("one"), "one");
  EXPECT_EQ(pastes.take("one\r\ntwo\rthree\n"), "one\ntwo\nthree");
  EXPECT_EQ(pastes.expanded("see one"), "see one");
}

TEST(Pastes, WhatIsNoTextIsReplaced) {
  Pastes pastes;
  EXPECT_EQ(pastes.take(std::string_view("a\0b\xff", 4)), "ab\ufffd");
}

TEST(Pastes, ALongOneIsASignUntilTheLineIsEntered) {
  Pastes pastes;
  std::string lines;
  for (int i = 0; i < 40; ++i) {
    lines += "line\n";
  }
  const std::string bytes(5000, 'x');
  EXPECT_EQ(pastes.take(lines), "[paste 1: 40 lines]");
  EXPECT_EQ(pastes.take(bytes), "[paste 2: 5000 bytes]");
  lines.pop_back();
  EXPECT_EQ(pastes.expanded("a [paste 1: 40 lines] b [paste 2: 5000 bytes]"),
            "a " + lines + " b " + bytes);
  EXPECT_EQ(pastes.expanded("only [paste 2: 5000 bytes]"), "only " + bytes);
  pastes.clear();
  EXPECT_EQ(pastes.expanded("[paste 1: 40 lines]"), "[paste 1: 40 lines]");
}

TEST(Pastes, ASignInsideAPasteIsLeftAlone) {
  Pastes pastes;
  const std::string text = std::string(2000, 'x') + "[paste 2: 5000 bytes]";
  EXPECT_EQ(pastes.take(text), "[paste 1: 2021 bytes]");
  EXPECT_EQ(pastes.take(std::string(5000, 'y')), "[paste 2: 5000 bytes]");
  EXPECT_EQ(pastes.expanded("[paste 1: 2021 bytes]"), text);
}

}  // namespace
}  // namespace ingle::app
