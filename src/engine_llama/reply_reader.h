/// Turns the tokens of a reply into deltas and the message.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine_llama/native_reply_parser.h"
#include "engine_llama/reply_syntax.h"
#include "engine_llama/reply_text.h"
#include "engine_llama/tokenizer.h"
#include "ingle/model/generation.h"

namespace ingle {

/// Bytes to characters, the form of the reply to text, thoughts and calls, and the text up to the
/// first stop string: those of the caller count in the text, not in thoughts and calls. Not
/// thread-safe.
class ReplyReader {
 public:
  /// `syntax` may be null and must, like the tokenizer, live as long as the reader.
  ReplyReader(const Tokenizer& tokenizer, const ReplySyntax* syntax,
              const GenerationOptions& options, DeltaSink& sink);

  /// Takes the next token, which does not end the reply.
  void push(Token token);

  /// A stop string is complete, or one call is enough and there is another: the reply is over.
  [[nodiscard]] bool is_stopped() const;

  /// Gives on what was held back, and returns the message.
  Message finish(std::vector<std::string>& warnings);

 private:
  /// Lets through what stands before the stop string.
  class StopSink final : public DeltaSink {
   public:
    StopSink(std::vector<std::string> stops, DeltaSink& sink)
        : text_(std::move(stops)), sink_(sink) {}
    void on_delta(const Delta& delta) override;
    void finish();
    [[nodiscard]] bool is_stopped() const { return text_.is_stopped(); }
    [[nodiscard]] const std::string& passed() const { return passed_; }

   private:
    void pass(std::string text);

    ReplyText text_;
    DeltaSink& sink_;
    std::string passed_;
  };

  void read(std::string text);

  const Tokenizer& tokenizer_;
  std::map<Token, std::string> kept_;  ///< Markers that are part of the reply's form.
  ReplyText characters_;
  std::optional<NativeReplyParser> parser_;
  StopSink sink_;
};

}  // namespace ingle
