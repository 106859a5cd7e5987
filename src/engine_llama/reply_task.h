/// Writes one reply: decode, mask, sample, read, stream, until something ends it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine_llama/decoder.h"
#include "engine_llama/grammar_filter.h"
#include "engine_llama/reply_syntax.h"
#include "engine_llama/tokenizer.h"
#include "ingle/model/generation.h"
#include "ingle/schema/constraint.h"

namespace ingle {

struct ReplyTask {
  std::span<const Token> prompt;  ///< Not empty; smaller than the context window.
  TokenCount context_window = 0;
  const GenerationOptions* options = nullptr;  ///< Checked.
  std::optional<ConstraintMatcher> matcher;    ///< At its start; holds for what is not thought.
  std::shared_ptr<const ReplySyntax> syntax;   ///< Null: the reply is text and no more.
  std::optional<GrammarFilter> grammar;        ///< Of the syntax.
  std::vector<std::string> warnings;           ///< So far.
};

/// Runs on the owner thread; the decoder keeps prompt and reply for the next turn. Errors: internal
/// "decode_failed" and those of `ConstraintMatcher`.
Result<Completion> write_reply(Decoder& decoder, const Tokenizer& tokenizer, ReplyTask task,
                               const OwnerThread::StopCheck& stop, DeltaSink& sink);

}  // namespace ingle
