#include "ingle/core/utf8.h"

#include <algorithm>
#include <cstdint>

namespace ingle {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::size_t kMaxIncomplete = 3;

struct ByteRange {
  std::uint8_t low = 0x80;
  std::uint8_t high = 0xBF;
};

/// What may follow a lead byte: one row of table 3-7.
struct Lead {
  std::size_t length = 0;  ///< Bytes of the whole character; 0: not a lead byte.
  ByteRange second;        ///< Only the second byte is ever limited further than 80..BF.
};

constexpr Lead lead_of(std::uint8_t byte) {
  if (byte <= 0x7F) return {1, {}};
  if (byte <= 0xC1) return {0, {}};
  if (byte <= 0xDF) return {2, {}};
  if (byte == 0xE0) return {3, {0xA0, 0xBF}};
  if (byte == 0xED) return {3, {0x80, 0x9F}};
  if (byte <= 0xEF) return {3, {}};
  if (byte == 0xF0) return {4, {0x90, 0xBF}};
  if (byte <= 0xF3) return {4, {}};
  if (byte == 0xF4) return {4, {0x80, 0x8F}};
  return {0, {}};
}

enum class PartKind : std::uint8_t {
  kCharacter,   ///< Well-formed.
  kIllFormed,   ///< A maximal ill-formed part.
  kIncomplete,  ///< Ill-formed only because the text ends.
};

struct Part {
  PartKind kind = PartKind::kIllFormed;
  std::size_t length = 0;
};

/// The first part of `text`, which is not empty.
Part first_part(std::string_view text) {
  const Lead lead = lead_of(static_cast<std::uint8_t>(text.front()));
  if (lead.length == 0) {
    return {PartKind::kIllFormed, 1};
  }
  ByteRange range = lead.second;
  for (std::size_t i = 1; i < lead.length; ++i) {
    if (i == text.size()) {
      return {PartKind::kIncomplete, i};
    }
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if (byte < range.low || byte > range.high) {
      return {PartKind::kIllFormed, i};
    }
    range = {};
  }
  return {PartKind::kCharacter, lead.length};
}

/// Length of the longest well-formed prefix.
std::size_t valid_prefix(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size()) {
    const Part part = first_part(text.substr(length));
    if (part.kind != PartKind::kCharacter) {
      break;
    }
    length += part.length;
  }
  return length;
}

}  // namespace

bool is_valid_utf8(std::string_view text) { return valid_prefix(text) == text.size(); }

std::string sanitize_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (true) {
    const std::size_t valid = valid_prefix(text);
    out += text.substr(0, valid);
    text.remove_prefix(valid);
    if (text.empty()) {
      return out;
    }
    out += kReplacement;
    text.remove_prefix(first_part(text).length);
  }
}

std::string_view truncate_utf8(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) {
    return text;
  }
  const std::string_view prefix = text.substr(0, max_bytes);
  return prefix.substr(0, prefix.size() - incomplete_utf8_suffix(prefix));
}

std::size_t incomplete_utf8_suffix(std::string_view text) {
  // A lead byte never continues a character, so at most one length can match.
  for (std::size_t length = 1; length <= std::min(kMaxIncomplete, text.size()); ++length) {
    if (first_part(text.substr(text.size() - length)).kind == PartKind::kIncomplete) {
      return length;
    }
  }
  return 0;
}

}  // namespace ingle
