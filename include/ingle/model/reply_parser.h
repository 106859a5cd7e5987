/// From a model's raw output to text, reasoning and calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/model/generation.h"
#include "ingle/model/message.h"

namespace ingle {

/// Parses replies in the prompted protocol (docs/prompted-tools.md): a reply is either prose, or
/// begins with "<tool_call>" and holds calls alone, each `<tool_call>{"name": ..., "arguments":
/// ...}</tool_call>`.
///
/// Output may be cut into pieces anywhere: what was given to the sink is never taken back, and all
/// splits give the same result. One object per reply; not thread-safe.
class ReplyParser {
 public:
  /// Takes the next piece. Text goes on as soon as it cannot be the beginning of a call; a call
  /// goes on when it is complete.
  void push(std::string_view piece, DeltaSink& sink);

  /// The reply is over: gives the sink what was kept back, and returns the message. Calls that were
  /// cut or are not JSON have `malformed_arguments`; their name is empty when it is unknown.
  Message finish(DeltaSink& sink);

 private:
  enum class Kind : std::uint8_t { kUndecided, kText, kCalls };

  void take_calls(DeltaSink& sink);
  void add_call(std::string_view body, DeltaSink& sink);

  Kind kind_ = Kind::kUndecided;
  std::string pending_;  ///< Not yet given on.
  std::string text_;
  std::vector<ToolCall> calls_;
};

}  // namespace ingle
