/// Reads a reply in a model's own format as it comes.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine_llama/reply_syntax.h"
#include "ingle/model/generation.h"

namespace ingle {

/// The whole reply so far is read anew as it grows, and of that reading goes on what cannot change
/// any more: nothing is ever taken back, the deltas together are the message, and the message does
/// not depend on how the reply was cut into pieces. One object per reply; not thread-safe.
///
/// Calls that a model writes among its thoughts count if they are complete and name a tool.
class NativeReplyParser {
 public:
  /// Of a reply with more calls, those behind the first `max_calls` are left out. `syntax` must
  /// live as long as the parser.
  explicit NativeReplyParser(const ReplySyntax& syntax,
                             std::size_t max_calls = std::numeric_limits<std::size_t>::max());

  /// Takes the next piece: whole UTF-8 characters.
  void push(std::string_view piece, DeltaSink& sink);

  /// The reply is over: gives on what was kept back, and returns the message. What does not have
  /// the model's format is text as it is, with a sentence in `warnings`.
  Message finish(DeltaSink& sink, std::vector<std::string>& warnings);

  /// A call has begun that is left out: there is no need to read on.
  [[nodiscard]] bool has_surplus() const { return has_surplus_; }

 private:
  void give_on(const ParsedReply& parsed, ReplySyntax::Extent extent, DeltaSink& sink);
  void give_on_calls(const ParsedReply& parsed, ReplySyntax::Extent extent, DeltaSink& sink);
  std::string grow(std::string& given, std::string_view now);
  void look_for_calls_in_thoughts(ReplySyntax::Extent extent);
  [[nodiscard]] std::size_t lost_call(const ParsedReply& parsed) const;
  [[nodiscard]] std::size_t begun_call_start() const;
  [[nodiscard]] std::string behind_thoughts(std::size_t end) const;
  [[nodiscard]] bool has_call(const std::string& reply) const;
  [[nodiscard]] bool is_thinking(std::size_t at) const;

  const ReplySyntax& syntax_;
  std::size_t max_calls_;
  bool has_surplus_ = false;
  std::string reply_;                ///< All of it, as it is read.
  std::size_t next_reading_ = 0;     ///< Size of the reply at which it is worth to be read again.
  std::size_t looked_ = 0;           ///< Before it there is no undecided call among thoughts.
  std::optional<std::size_t> held_;  ///< An undecided one: what follows is not read yet.
  ParsedReply given_;
  bool is_torn_ = false;  ///< A later reading did not begin with what was given on.
};

}  // namespace ingle
