/// How likely are texts as the continuation of a prompt?
#pragma once

#include <span>
#include <vector>

#include "engine_llama/decoder.h"
#include "ingle/model/language_model.h"

namespace ingle {

/// `prompt` is not empty and fits with the longest continuation into the context window.
/// The prompt is computed once for all of them, if the kind of model allows it.
///
/// Runs on the owner thread; leaves the decoder empty. Empty when it was stopped.
/// Errors: internal "decode_failed".
Result<std::optional<Scores>> score_continuations(Decoder& decoder, std::span<const Token> prompt,
                                                  std::span<const std::vector<Token>> continuations,
                                                  const OwnerThread::StopCheck& stop);

/// log(softmax(logits)[token]) in double precision.
double log_probability(std::span<const float> logits, Token token);

}  // namespace ingle
