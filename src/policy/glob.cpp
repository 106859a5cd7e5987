#include "ingle/policy/glob.h"

#include <cstddef>

namespace ingle {
namespace {

/// Where the character behind the one at `position` begins.
std::size_t next_character(std::string_view text, std::size_t position) {
  constexpr unsigned kContinuationMask = 0xC0;
  constexpr unsigned kContinuation = 0x80;
  ++position;
  while (position < text.size() &&
         (static_cast<unsigned char>(text[position]) & kContinuationMask) == kContinuation) {
    ++position;
  }
  return position;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  // Only the latest '*' ever has to be tried again: what earlier ones matched can stay as it is.
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && pattern[p] == '?') {
      ++p;
      t = next_character(text, t);
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') {
    ++p;
  }
  return p == pattern.size();
}

}  // namespace ingle
