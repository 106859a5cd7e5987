#include "ingle/paste.h"

#include <algorithm>
#include <utility>

#include "ingle/core/utf8.h"

namespace ingle::app {
namespace {

// More does not fit on a screen beside the rest of the line.
constexpr std::ptrdiff_t kMaxLines = 10;
constexpr std::size_t kMaxBytes = 1000;

}  // namespace

std::string Pastes::take(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (c == '\r') {
      if (i + 1 == bytes.size() || bytes[i + 1] != '\n') {
        text += '\n';
      }
    } else if (c != '\0') {
      text += c;
    }
  }
  // What an editor or a terminal adds at the end of the last line is not meant.
  while (text.ends_with('\n')) {
    text.pop_back();
  }
  text = sanitize_utf8(text);
  const auto lines = std::ranges::count(text, '\n') + 1;
  if (lines <= kMaxLines && text.size() <= kMaxBytes) {
    return text;
  }
  std::string sign =
      "[paste " + std::to_string(long_ones_.size() + 1) + ": " +
      (lines > 1 ? std::to_string(lines) + " lines]" : std::to_string(text.size()) + " bytes]");
  long_ones_.push_back({sign, std::move(text)});
  return sign;
}

std::string Pastes::expanded(std::string line) const {
  std::size_t from = 0;  // What was put in is not looked through again.
  for (const LongOne& paste : long_ones_) {
    const std::size_t at = line.find(paste.sign, from);
    if (at != std::string::npos) {
      line.replace(at, paste.sign.size(), paste.text);
      from = at + paste.text.size();
    }
  }
  return line;
}

}  // namespace ingle::app
