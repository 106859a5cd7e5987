#include "cli/text/display_width.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace ingle::cli {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// The blocks that matter, sorted; Unicode 15, DerivedGeneralCategory (Mn, Me, Cf) and
// EastAsianWidth (W, F). A character that is missing here moves a border by a column and does no
// harm.
constexpr std::array kNoWidth{
    Range{0x0300, 0x036f}, Range{0x0483, 0x0489}, Range{0x0591, 0x05bd}, Range{0x0610, 0x061a},
    Range{0x064b, 0x065f}, Range{0x0900, 0x0902}, Range{0x0941, 0x0948}, Range{0x0e34, 0x0e3a},
    Range{0x0e47, 0x0e4e}, Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff}, Range{0x200b, 0x200f},
    Range{0x202a, 0x202e}, Range{0x2060, 0x2064}, Range{0x20d0, 0x20ff}, Range{0x3099, 0x309a},
    Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f}, Range{0xfeff, 0xfeff}, Range{0xe0100, 0xe01ef},
};
constexpr std::array kWide{
    Range{0x1100, 0x115f},   Range{0x231a, 0x231b},   Range{0x23e9, 0x23ec},
    Range{0x25fd, 0x25fe},   Range{0x2614, 0x2615},   Range{0x2648, 0x2653},
    Range{0x26a1, 0x26a1},   Range{0x26bd, 0x26be},   Range{0x26c4, 0x26c5},
    Range{0x26d4, 0x26d4},   Range{0x26ea, 0x26ea},   Range{0x2705, 0x2705},
    Range{0x270a, 0x270b},   Range{0x2728, 0x2728},   Range{0x274c, 0x274c},
    Range{0x2753, 0x2755},   Range{0x2757, 0x2757},   Range{0x2795, 0x2797},
    Range{0x2b1b, 0x2b1c},   Range{0x2b50, 0x2b50},   Range{0x2e80, 0x303e},
    Range{0x3041, 0x33ff},   Range{0x3400, 0x4dbf},   Range{0x4e00, 0xa4cf},
    Range{0xa960, 0xa97c},   Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},
    Range{0xfe30, 0xfe6f},   Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},
    Range{0x1f004, 0x1f004}, Range{0x1f18e, 0x1f19a}, Range{0x1f200, 0x1f320},
    Range{0x1f32d, 0x1f64f}, Range{0x1f680, 0x1f6ff}, Range{0x1f7e0, 0x1f7eb},
    Range{0x1f90c, 0x1f9ff}, Range{0x1fa70, 0x1faff}, Range{0x20000, 0x3fffd},
};

bool is_in(std::span<const Range> ranges, char32_t character) {
  const auto after = std::ranges::upper_bound(ranges, character, {},
                                              [](const Range& range) { return range.first; });
  return after != ranges.begin() && character <= std::prev(after)->last;
}

std::size_t width_of(char32_t character) {
  return is_in(kNoWidth, character) ? 0 : is_in(kWide, character) ? 2 : 1;
}

/// Bytes of the character that begins with `byte`.
std::size_t length_of(unsigned char byte) {
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

struct Character {
  std::size_t bytes = 0;
  std::size_t width = 0;
};

Character first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = std::min(length_of(lead), text.size());
  char32_t character = length == 1 ? lead : lead & (0xffU >> (length + 1));
  for (const char c : text.substr(1, length - 1)) {
    character = (character << 6U) | (static_cast<unsigned char>(c) & 0x3fU);
  }
  return {length, width_of(character)};
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Character character = first_of(text);
    width += character.width;
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::size_t prefix_of_width(std::string_view text, std::size_t columns) {
  std::size_t width = 0;
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Character character = first_of(text.substr(bytes));
    width += character.width;
    if (width > columns && bytes > 0) {
      break;
    }
    bytes += character.bytes;
  }
  return bytes;
}

std::string fit_to_width(std::string_view text, std::size_t columns) {
  constexpr std::string_view kMore = "...";
  std::size_t width = 0;
  std::size_t kept = 0;  // Bytes that leave room for what says that there is more.
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_of(text.substr(at));
    width += character.width;
    if (width > columns) {
      const std::string_view more = kMore.substr(0, std::min(columns, kMore.size()));
      return std::string(text.substr(0, kept)).append(more);
    }
    at += character.bytes;
    if (width + kMore.size() <= columns) {
      kept = at;
    }
  }
  return std::string(text);
}

}  // namespace ingle::cli
