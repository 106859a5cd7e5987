/// Finds where one JSON value ends in text that comes in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ingle {

/// Looks at brackets and strings only: what it takes need not be valid JSON. Constant memory, no
/// recursion. Not thread-safe.
class JsonValueScanner {
 public:
  /// How many bytes at the beginning of `piece` belong to the value (spaces before it do too).
  /// Fewer than all: the value is complete.
  [[nodiscard]] std::size_t take(std::string_view piece);

  [[nodiscard]] bool is_complete() const { return state_ == State::kComplete; }

 private:
  enum class State : std::uint8_t { kBefore, kScalar, kContainer, kComplete };

  /// One byte; false when it is behind the value.
  bool take_byte(char byte);
  void take_in_string(char byte);

  State state_ = State::kBefore;
  std::size_t depth_ = 0;  ///< Open brackets.
  bool is_in_string_ = false;
  bool is_escaped_ = false;
};

}  // namespace ingle
