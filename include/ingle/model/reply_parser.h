/// From a model's raw output to text, reasoning and calls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/model/generation.h"
#include "ingle/model/message.h"
#include "ingle/schema/json_value_scanner.h"

namespace ingle {

/// Parses replies in the prompted protocol (docs/prompted-tools.md): a reply is either prose, or
/// begins with "<tool_call>" and holds calls alone, each `<tool_call>{"name": ..., "arguments":
/// ...}</tool_call>`.
///
/// Output may be cut into pieces anywhere: what was given to the sink is never taken back, and all
/// splits give the same result. One object per reply; not thread-safe.
class ReplyParser {
 public:
  /// Takes the next piece. Text goes on as soon as it cannot be the beginning of a call; of a call
  /// the name, then the arguments as they come.
  void push(std::string_view piece, DeltaSink& sink);

  /// The reply is over: gives the sink what was kept back, and returns the message. Calls that were
  /// cut or are not JSON are malformed; their name is empty when it is unknown.
  Message finish(DeltaSink& sink);

 private:
  enum class Part : std::uint8_t {
    kUndecided,
    kText,
    kBetweenCalls,
    kHeader,  ///< Behind "<tool_call>", before the arguments.
    kArguments,
    kTail,   ///< Behind the arguments, before "</tool_call>".
    kOther,  ///< A call that is not written in our order: taken when it is complete.
  };

  bool take_part_of_call(DeltaSink& sink);
  bool drop_through(std::string_view marker, Part next);
  bool take_header(DeltaSink& sink);
  bool take_arguments(DeltaSink& sink);
  void end_arguments();
  void add_whole_call(ToolCall call, DeltaSink& sink);

  Part part_ = Part::kUndecided;
  std::string pending_;  ///< Not yet given on.
  std::string text_;
  std::vector<ToolCall> calls_;
  std::string name_;       ///< Of the call that is being read.
  std::string arguments_;  ///< Of it, so far.
  JsonValueScanner scanner_;
};

}  // namespace ingle
