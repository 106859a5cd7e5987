/// Writes one reply: decode, mask, sample, stream, until something ends it.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine_llama/decoder.h"
#include "engine_llama/tokenizer.h"
#include "ingle/model/generation.h"
#include "ingle/schema/constraint.h"

namespace ingle {

struct ReplyTask {
  std::span<const Token> prompt;  ///< Not empty; smaller than the context window.
  TokenCount context_window = 0;
  const GenerationOptions* options = nullptr;  ///< Checked.
  std::optional<ConstraintMatcher> matcher;    ///< At its start.
};

/// Runs on the owner thread; leaves the decoder empty. Errors: internal "decode_failed" and those
/// of `ConstraintMatcher`.
Result<Completion> write_reply(Decoder& decoder, const Tokenizer& tokenizer, ReplyTask task,
                               const OwnerThread::StopCheck& stop, DeltaSink& sink);

}  // namespace ingle
