/// Turns the bytes of tokens into the text of a reply: whole characters, up to the first stop
/// string.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingle {

/// Of the stop strings the one that is complete first counts (of several that end at the same byte,
/// the longest), so the result does not depend on how the bytes are cut into tokens. What may still
/// become a stop string or a whole character is held back. Ill-formed UTF-8 becomes U+FFFD. Not
/// thread-safe.
class ReplyText {
 public:
  /// `stops`: none is empty.
  explicit ReplyText(std::vector<std::string> stops);

  /// Takes the next bytes; returns the text that is certain now (maybe none).
  [[nodiscard]] std::string push(std::string_view bytes);

  /// The reply is over: returns what was held back, without an unfinished character.
  [[nodiscard]] std::string finish();

  /// A stop string was complete; later bytes are ignored.
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }

 private:
  [[nodiscard]] std::size_t longest_stop_at(std::size_t end) const;
  [[nodiscard]] std::size_t held_back() const;
  std::string take(std::size_t count);

  std::vector<std::string> stops_;
  std::string pending_;  ///< Not handed out yet.
  bool is_stopped_ = false;
};

}  // namespace ingle
