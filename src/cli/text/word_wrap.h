/// Text that comes in pieces, broken between words at the width of the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingle::cli {

/// A word is kept back until it is complete, since it may have to go to the next line. Nothing is
/// ever taken back, so the terminal needs no cursor movement.
class WordWrap final {
 public:
  /// What to write now for more text: whole UTF-8 characters, without controls other than line feed
  /// and tab. `width` may differ from call to call.
  [[nodiscard]] std::string feed(std::string_view text, std::size_t width);

  /// The word that was kept back; the next line begins behind it.
  [[nodiscard]] std::string finish(std::size_t width);

 private:
  void put_word(std::string& out, std::size_t width);

  std::size_t column_ = 0;
  std::string spaces_;  ///< Before the word.
  std::string word_;    ///< Not written yet.
  std::size_t word_width_ = 0;
};

}  // namespace ingle::cli
