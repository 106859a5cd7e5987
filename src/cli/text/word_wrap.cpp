#include "cli/text/word_wrap.h"

#include "cli/text/display_width.h"

namespace ingle::cli {
namespace {

// Nobody waits for the end of a longer word.
constexpr std::size_t kMaxKeptBack = 32;
constexpr std::size_t kTabStop = 8;

/// Bytes of the first character.
std::size_t first_length(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80U) {
    ++length;
  }
  return length;
}

}  // namespace

std::string WordWrap::feed(std::string_view text, std::size_t width) {
  std::string out;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, first_length(text));
    text.remove_prefix(character.size());
    if (character == "\n") {
      put_word(out, width);
      out += '\n';
      spaces_.clear();
      column_ = 0;
      continue;
    }
    if (character == " " || character == "\t") {
      put_word(out, width);
      const std::size_t column = column_ + spaces_.size();
      spaces_.append(character == " " ? 1 : kTabStop - column % kTabStop, ' ');
      continue;
    }
    const std::size_t columns = display_width(character);
    if (columns > 1 || word_width_ >= kMaxKeptBack) {
      put_word(out, width);  // Text of wide characters has no spaces.
    }
    word_ += character;
    word_width_ += columns;
    if (columns > 1) {
      put_word(out, width);
    }
  }
  return out;
}

std::string WordWrap::finish(std::size_t width) {
  std::string out;
  put_word(out, width);
  spaces_.clear();
  column_ = 0;
  return out;
}

void WordWrap::put_word(std::string& out, std::size_t width) {
  if (word_.empty()) {
    return;
  }
  if (column_ > 0 && column_ + spaces_.size() + word_width_ > width) {
    out += '\n';
    spaces_.clear();
    column_ = 0;
  }
  out += spaces_;
  out += word_;
  column_ += spaces_.size() + word_width_;
  spaces_.clear();
  word_.clear();
  word_width_ = 0;
}

}  // namespace ingle::cli
