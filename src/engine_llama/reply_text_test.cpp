#include "engine_llama/reply_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingle/core/utf8.h"
#include "ingle/testing/property_runs.h"

namespace ingle {
namespace {

/// What a reply must be, told from the whole of its bytes.
std::string oracle(std::string_view bytes, const std::vector<std::string>& stops) {
  for (std::size_t end = 1; end <= bytes.size(); ++end) {
    std::size_t longest = 0;
    for (const std::string& stop : stops) {
      if (bytes.substr(0, end).ends_with(stop)) {
        longest = std::max(longest, stop.size());
      }
    }
    if (longest != 0) {
      return sanitize_utf8(bytes.substr(0, end - longest));
    }
  }
  bytes.remove_suffix(incomplete_utf8_suffix(bytes));
  return sanitize_utf8(bytes);
}

std::vector<std::string> pieces_of(ReplyText& text, const std::vector<std::string>& tokens) {
  std::vector<std::string> pieces;
  for (const std::string& token : tokens) {
    pieces.push_back(text.push(token));
  }
  pieces.push_back(text.finish());
  return pieces;
}

using Pieces = std::vector<std::string>;

TEST(ReplyText, WithoutStopsTextPassesAtOnce) {
  ReplyText text({});
  EXPECT_EQ(pieces_of(text, {"Hello", ", ", "world"}), (Pieces{"Hello", ", ", "world", ""}));
  EXPECT_FALSE(text.is_stopped());
}

TEST(ReplyText, CharactersAreHandedOutWhole) {
  ReplyText text({});
  EXPECT_EQ(pieces_of(text, {"a\xE2", "\x82", "\xAC!"}), (Pieces{"a", "", "\xE2\x82\xAC!", ""}));
}

TEST(ReplyText, UnfinishedCharacterAtTheEndIsDropped) {
  ReplyText text({});
  EXPECT_EQ(pieces_of(text, {"a\xE2\x82"}), (Pieces{"a", ""}));
}

TEST(ReplyText, IllFormedBytesAreReplaced) {
  ReplyText text({});
  EXPECT_EQ(pieces_of(text, {"a\xFF", "\xE2\x82", "b"}), (Pieces{"a\xEF\xBF\xBD", "",
                                                                 "\xEF\xBF\xBD"
                                                                 "b",
                                                                 ""}));
}

TEST(ReplyText, StopStringIsCutAcrossPieces) {
  ReplyText text({"END"});
  EXPECT_EQ(pieces_of(text, {"one E", "N", "D two"}), (Pieces{"one ", "", "", ""}));
  EXPECT_TRUE(text.is_stopped());
  EXPECT_EQ(text.push("more"), "");
}

TEST(ReplyText, WhatOnlyBeganAsAStopStringComesLater) {
  ReplyText text({"END"});
  EXPECT_EQ(pieces_of(text, {"EN", "E", "x", "EN"}), (Pieces{"", "EN", "Ex", "", "EN"}));
  EXPECT_FALSE(text.is_stopped());
}

TEST(ReplyText, FirstCompleteStopCounts) {
  for (const Pieces& tokens : {Pieces{"xabc"}, Pieces{"x", "a", "b", "c"}}) {
    ReplyText text({"abc", "b"});
    Pieces pieces = pieces_of(text, tokens);
    std::string whole;
    for (const std::string& piece : pieces) {
      whole += piece;
    }
    EXPECT_EQ(whole, "xa");
  }
}

TEST(ReplyText, OfStopsThatEndTogetherTheLongestCounts) {
  ReplyText text({"c", "bc"});
  EXPECT_EQ(pieces_of(text, {"abc"}), (Pieces{"a", ""}));
}

TEST(ReplyTextProperty, PiecesAgreeWithTheWholeHoweverItIsCut) {
  // A small alphabet, so that stop strings are begun often and met sometimes.
  const std::vector<std::string> alphabet = {
      "a", "b", "ab", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xE2", "\x82", "\xFF"};
  const std::vector<std::string> stop_pool = {
      "ab", "aba", "bb", "\u00e9a", "\xE2\x82\xAC\xC3\xA9", "aaa", "\xF0\x9F\x98\x80"};
  std::mt19937 random(11);  // fixed: the same cases each time
  for (int round = 0; round < testing::property_runs(5000); ++round) {
    std::string bytes;
    for (auto i = random() % 24; i > 0; --i) {
      bytes += alphabet[random() % alphabet.size()];
    }
    std::vector<std::string> stops;
    for (auto i = random() % 3; i > 0; --i) {
      stops.push_back(stop_pool[random() % stop_pool.size()]);
    }
    ReplyText text(stops);
    std::string joined;
    for (std::size_t at = 0; at < bytes.size() && !text.is_stopped();) {
      const std::size_t size = 1 + random() % 4;
      const std::string piece = text.push(std::string_view(bytes).substr(at, size));
      EXPECT_TRUE(is_valid_utf8(piece));
      joined += piece;
      at += size;
    }
    joined += text.finish();
    EXPECT_EQ(joined, oracle(bytes, stops)) << round;
  }
}

}  // namespace
}  // namespace ingle
