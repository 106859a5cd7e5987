#include "ingle/core/utf8.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace ingle {
namespace {

using namespace std::string_literals;

constexpr std::string_view kBad = "\xEF\xBF\xBD";
constexpr char32_t kLastCodePoint = 0x10FFFF;

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) {
    out += text;
  }
  return out;
}

/// The textbook encoder, which also encodes what UTF-8 forbids.
std::string encode(char32_t code, std::size_t bytes) {
  if (bytes == 1) {
    return {static_cast<char>(code)};
  }
  std::string out(bytes, '\0');
  for (std::size_t i = bytes - 1; i > 0; --i) {
    out[i] = static_cast<char>(0x80U | (code & 0x3FU));
    code >>= 6U;
  }
  const unsigned lead = bytes == 2 ? 0xC0U : bytes == 3 ? 0xE0U : 0xF0U;
  out[0] = static_cast<char>(lead | code);
  return out;
}

std::size_t shortest(char32_t code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

/// Bytes near every edge of table 3-7, so that random texts meet all of its rows.
std::string random_text(std::mt19937& random) {
  constexpr std::string_view kEdges =
      "a\x7F\x80\x8F\x90\x9F\xA0\xBF\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF";
  std::uniform_int_distribution<std::size_t> length(0, 12);
  std::uniform_int_distribution<std::size_t> edge(0, kEdges.size() - 1);
  std::string text(length(random), '\0');
  for (char& c : text) {
    c = kEdges[edge(random)];
  }
  return text;
}

/// What a streamer does: each chunk is sanitised but for a character that may not be complete.
std::string sanitize_streamed(const std::vector<std::string_view>& chunks) {
  std::string out;
  std::string pending;
  for (const std::string_view chunk : chunks) {
    pending += chunk;
    const std::size_t ready = pending.size() - incomplete_utf8_suffix(pending);
    out += sanitize_utf8(std::string_view(pending).substr(0, ready));
    pending.erase(0, ready);
  }
  return out + sanitize_utf8(pending);
}

TEST(IsValidUtf8, AcceptsEveryCodePointButSurrogates) {
  for (char32_t code = 0; code <= kLastCodePoint; ++code) {
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    ASSERT_EQ(is_valid_utf8(encode(code, shortest(code))), !is_surrogate) << std::hex << +code;
  }
}

TEST(IsValidUtf8, RefusesOverlongForms) {
  for (char32_t code = 0; code < 0x10000; ++code) {
    for (std::size_t bytes = shortest(code) + 1; bytes <= 4; ++bytes) {
      ASSERT_FALSE(is_valid_utf8(encode(code, bytes))) << std::hex << +code << ' ' << bytes;
    }
  }
}

TEST(IsValidUtf8, RefusesValuesAboveTheLastCodePoint) {
  for (char32_t code = kLastCodePoint + 1; code <= 0x1FFFFF; ++code) {
    ASSERT_FALSE(is_valid_utf8(encode(code, 4))) << std::hex << +code;
  }
}

TEST(IsValidUtf8, EmptyTextIsValid) { EXPECT_TRUE(is_valid_utf8("")); }

TEST(SanitizeUtf8, ValidTextIsUnchanged) {
  const std::string text = "a\0 \xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"s;
  EXPECT_EQ(sanitize_utf8(text), text);
}

TEST(SanitizeUtf8, EachMaximalPartBecomesOneReplacement) {
  struct Case {
    std::string text;
    std::size_t replacements;
  };
  // The examples of tables 3-8 to 3-11 of the Unicode standard, each followed by 'A'.
  for (const Case& c :
       {Case{"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82", 8}, Case{"\xED\xA0\x80\xED\xBF\xBF\xED\xAF", 8},
        Case{"\xF4\x91\x92\x93\xFF", 5}, Case{"\x80\xBF", 2},
        Case{"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF", 4}}) {
    EXPECT_EQ(sanitize_utf8(c.text + "A"), repeat(kBad, c.replacements) + "A");
  }
}

TEST(SanitizeUtf8, CutCharacterAtTheEndIsOneReplacement) {
  EXPECT_EQ(sanitize_utf8("a\xF0\x9F\x98"), "a"s.append(kBad));
}

TEST(SanitizeUtf8, ResultIsValidAndStable) {
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = random_text(random);
    const std::string clean = sanitize_utf8(text);
    ASSERT_TRUE(is_valid_utf8(clean)) << testing::PrintToString(text);
    ASSERT_EQ(sanitize_utf8(clean), clean) << testing::PrintToString(text);
    ASSERT_EQ(clean == text, is_valid_utf8(text)) << testing::PrintToString(text);
  }
}

TEST(TruncateUtf8, NeverCutsACharacter) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";  // Lengths 1, 2, 3, 4, 1.
  const std::vector<std::size_t> expected = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  for (std::size_t max_bytes = 0; max_bytes < expected.size(); ++max_bytes) {
    EXPECT_EQ(truncate_utf8(text, max_bytes), text.substr(0, expected[max_bytes])) << max_bytes;
  }
}

TEST(IncompleteUtf8Suffix, CountsTheBytesOfAStartedCharacter) {
  struct Case {
    std::string text;
    std::size_t suffix;
  };
  for (const Case& c :
       {Case{"", 0}, Case{"a", 0}, Case{"a\xC3", 1}, Case{"\xC3\xA9", 0}, Case{"a\xE2\x82", 2},
        Case{"a\xE2\x82\xAC", 0}, Case{"\xF0\x9F\x98", 3}, Case{"\xF0\x9F\x98\x80", 0},
        Case{"\x80", 0}, Case{"\xC1", 0}, Case{"\xE0\x80", 0}, Case{"\xED\xA0", 0},
        Case{"\xF4\x90", 0}, Case{"\xF5", 0}, Case{"\xE2\x82\xC3", 1}}) {
    EXPECT_EQ(incomplete_utf8_suffix(c.text), c.suffix) << testing::PrintToString(c.text);
  }
}

TEST(IncompleteUtf8Suffix, StreamingSplitAtAnyByteEqualsTheWhole) {
  std::mt19937 random(2);
  for (int i = 0; i < 5'000; ++i) {
    const std::string text = random_text(random);
    const std::string_view view = text;
    const std::string whole = sanitize_utf8(text);
    std::vector<std::string_view> bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
      bytes.push_back(view.substr(at, 1));
      ASSERT_EQ(sanitize_streamed({view.substr(0, at), view.substr(at)}), whole)
          << testing::PrintToString(text) << " at " << at;
    }
    ASSERT_EQ(sanitize_streamed(bytes), whole) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace ingle
