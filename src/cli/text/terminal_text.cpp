#include "cli/text/terminal_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ingle/core/utf8.h"

namespace ingle::cli {
namespace {

/// C0 and DEL; of UTF-8's C1 controls the second byte, whose first is 0xc2.
bool is_control(unsigned char byte, unsigned char previous) {
  return byte < 0x20 || byte == 0x7f || (previous == 0xc2 && byte >= 0x80 && byte < 0xa0);
}

std::string escape(std::string_view text, std::string_view kept) {
  std::string result;
  result.reserve(text.size());
  unsigned char previous = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (kept.find(c) != std::string_view::npos || !is_control(byte, previous)) {
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte >= 0x80) {
      result.pop_back();
      result += fmt::format("\\u{:04x}", byte);
    } else {
      result += fmt::format("\\x{:02x}", byte);
    }
    previous = byte;
  }
  return result;
}

bool is_plain(char c) {
  constexpr std::string_view kPlain = "%+,-./:=@_";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         kPlain.find(c) != std::string_view::npos;
}

}  // namespace

std::string escape_controls(std::string_view text) { return escape(text, "\n\t"); }

std::string one_line(std::string_view text) { return escape(text, "\t"); }

std::string short_line(std::string_view text, std::size_t max_bytes) {
  const std::string_view head = truncate_utf8(text, max_bytes);
  return one_line(head) + (head.size() < text.size() ? "..." : "");
}

std::string shell_quoted(std::string_view word) {
  if (!word.empty() && std::ranges::all_of(word, is_plain)) {
    return std::string(word);
  }
  std::string result = "'";
  for (const char c : word) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits{"bytes", "kB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1000 && unit + 1 < kUnits.size()) {
    value /= 1000;
    ++unit;
  }
  const int decimals = unit == 0 || value >= 100 ? 0 : 1;
  return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

}  // namespace ingle::cli
