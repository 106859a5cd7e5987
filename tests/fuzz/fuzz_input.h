/// A fuzzer's bytes as choices and texts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ingle::fuzz {

/// A value: a copy reads the same again. When the bytes are used up, all choices are 0.
class FuzzInput {
 public:
  FuzzInput(const std::uint8_t* data, std::size_t size)
      : rest_(reinterpret_cast<const char*>(data), size) {}

  [[nodiscard]] bool is_empty() const { return rest_.empty(); }

  std::uint8_t byte() {
    if (rest_.empty()) {
      return 0;
    }
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }

  /// Up to `size` bytes. One from 0xC0 on stands, together with the next, for one of `words`, so
  /// that a mutation is a whole marker as easily as a letter.
  std::string text(std::size_t size, const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t end = rest_.size() - std::min(size, rest_.size()); rest_.size() > end;) {
      const std::uint8_t first = byte();
      if (first < 0xC0) {
        out += static_cast<char>(first);
      } else {
        out += words[byte() % words.size()];
      }
    }
    return out;
  }

  std::string rest(const std::vector<std::string>& words) { return text(rest_.size(), words); }

 private:
  std::string_view rest_;
};

}  // namespace ingle::fuzz
