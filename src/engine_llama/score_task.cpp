#include "engine_llama/score_task.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace ingle {
namespace {

class Scorer {
 public:
  Scorer(Decoder& decoder, std::span<const Token> prompt, const OwnerThread::StopCheck& stop)
      : decoder_(decoder), prompt_(prompt), stop_(stop) {}

  /// Empty when stopped.
  Result<std::optional<double>> score(std::span<const Token> continuation) {
    if (continuation.empty()) {
      return std::optional<double>(0.0);
    }
    INGLE_TRY(const Decoder::Progress prepared, prepare());
    if (prepared == Decoder::Progress::kStopped) {
      return std::optional<double>();
    }
    double total = log_probability(after_prompt_, continuation.front());
    // Each token but the last is fed to learn how likely its successor is.
    std::span<const Token> rest = continuation;
    while (rest.size() > 1) {
      const auto chunk = rest.first(std::min(rest.size() - 1, decoder_.max_rows()));
      INGLE_TRY(const Decoder::Progress progress, decoder_.feed(chunk, Decoder::Rows::kAll, stop_));
      if (progress == Decoder::Progress::kStopped) {
        return std::optional<double>();
      }
      usage_.prompt_tokens += static_cast<TokenCount>(chunk.size());
      for (std::size_t i = 0; i < chunk.size(); ++i) {
        total += log_probability(decoder_.logits(i), rest[i + 1]);
      }
      rest = rest.subspan(chunk.size());
    }
    return std::optional<double>(total);
  }

  [[nodiscard]] Usage usage() const { return usage_; }

 private:
  /// Brings the decoder to the end of the prompt, with the logits there in `after_prompt_`.
  Result<Decoder::Progress> prepare() {
    const auto length = static_cast<TokenCount>(prompt_.size());
    if (!after_prompt_.empty() && decoder_.cut(length) && decoder_.position() == length) {
      return Decoder::Progress::kDone;
    }
    decoder_.cut(0);
    INGLE_TRY(const Decoder::Progress progress,
              decoder_.feed(prompt_, Decoder::Rows::kLast, stop_));
    usage_.prompt_tokens += decoder_.position();
    if (progress == Decoder::Progress::kDone) {
      const auto logits = decoder_.logits(0);
      after_prompt_.assign(logits.begin(), logits.end());
    }
    return progress;
  }

  Decoder& decoder_;
  std::span<const Token> prompt_;
  const OwnerThread::StopCheck& stop_;
  std::vector<float> after_prompt_;
  Usage usage_;
};

}  // namespace

double log_probability(std::span<const float> logits, Token token) {
  const auto index = static_cast<std::size_t>(token);
  if (index >= logits.size()) {
    return -HUGE_VAL;
  }
  const double maximum = *std::max_element(logits.begin(), logits.end());
  double total = 0.0;
  for (const float logit : logits) {
    total += std::exp(logit - maximum);
  }
  return logits[index] - maximum - std::log(total);
}

Result<std::optional<Scores>> score_continuations(Decoder& decoder, std::span<const Token> prompt,
                                                  std::span<const std::vector<Token>> continuations,
                                                  const OwnerThread::StopCheck& stop) {
  decoder.cut(0);
  Scorer scorer(decoder, prompt, stop);
  Scores scores;
  for (const auto& continuation : continuations) {
    auto score = scorer.score(continuation);
    if (!score.ok() || !*score) {
      decoder.cut(0);
      return score.ok() ? Result<std::optional<Scores>>(std::optional<Scores>()) : score.error();
    }
    scores.log_likelihoods.push_back(**score);
  }
  decoder.cut(0);
  scores.usage = scorer.usage();
  return std::optional<Scores>(std::move(scores));
}

}  // namespace ingle
