/// Pasted text on its way into a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ingle::app {

/// Keeps long pastes out of the line that is edited.
class Pastes final {
 public:
  /// What to insert for the bytes of a paste: the text itself, with its line ends as line feeds and
  /// without what is no UTF-8; or a sign for it when it is long.
  std::string take(std::string_view bytes);

  /// `line` with the text of the pastes where their signs are.
  [[nodiscard]] std::string expanded(std::string line) const;

  /// The next line begins.
  void clear() { long_ones_.clear(); }

 private:
  struct LongOne {
    std::string sign;
    std::string text;
  };
  std::vector<LongOne> long_ones_;
};

}  // namespace ingle::app
