#include "ingle/schema/json_value_scanner.h"

namespace ingle {
namespace {

bool is_space(char byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n'; }

}  // namespace

std::size_t JsonValueScanner::take(std::string_view piece) {
  std::size_t count = 0;
  while (count < piece.size() && state_ != State::kComplete && take_byte(piece[count])) {
    ++count;
  }
  return count;
}

bool JsonValueScanner::take_byte(char byte) {
  if (is_in_string_) {
    take_in_string(byte);
    return true;
  }
  switch (byte) {
    case '"':
      if (state_ == State::kScalar) {
        break;  // Two values without anything between them: the second is not ours.
      }
      is_in_string_ = true;
      return true;
    case '{':
    case '[':
      if (state_ == State::kScalar) {
        break;
      }
      state_ = State::kContainer;
      ++depth_;
      return true;
    case '}':
    case ']':
      if (state_ != State::kContainer) {
        break;
      }
      state_ = --depth_ == 0 ? State::kComplete : State::kContainer;
      return true;
    default:
      if (state_ == State::kContainer || (state_ == State::kBefore && is_space(byte))) {
        return true;
      }
      if (is_space(byte) || byte == ',') {
        break;
      }
      state_ = State::kScalar;
      return true;
  }
  state_ = State::kComplete;
  return false;
}

void JsonValueScanner::take_in_string(char byte) {
  if (is_escaped_) {
    is_escaped_ = false;
  } else if (byte == '\\') {
    is_escaped_ = true;
  } else if (byte == '"') {
    is_in_string_ = false;
    state_ = state_ == State::kContainer ? State::kContainer : State::kComplete;
  }
}

}  // namespace ingle
