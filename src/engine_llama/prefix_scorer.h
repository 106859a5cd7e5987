/// Scores one text behind many prompts at once, and keeps the prompts.
///
/// What a question costs is then its own tokens, once for each prompt and all in the same batches:
/// the prompts of the tools of an agent are the same from turn to turn.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine_llama/decoder.h"
#include "engine_llama/llama_handles.h"
#include "engine_llama/owner_thread.h"
#include "ingle/model/language_model.h"

namespace ingle {

/// A context of its own with a row of tokens per prompt. Used by one thread at a time.
class PrefixScorer {
 public:
  /// Prompt and text together must fit into a row.
  static constexpr std::size_t kRowTokens = 256;
  static constexpr std::size_t kRows = 24;

  struct Item {
    std::span<const Token> prompt;  ///< Not empty.
    std::span<const Token> text;    ///< Not empty.
  };

  /// Errors: as `Decoder::create`.
  static Result<std::unique_ptr<PrefixScorer>> create(llama_model* model,
                                                      const DecoderOptions& options);

  ~PrefixScorer();
  PrefixScorer(const PrefixScorer&) = delete;
  PrefixScorer& operator=(const PrefixScorer&) = delete;

  [[nodiscard]] static bool fits(const Item& item) {
    return item.prompt.size() + item.text.size() <= kRowTokens;
  }

  /// Log-likelihoods of the texts behind their prompts, in the order of the items, all of which
  /// fit. Empty when it was stopped. Errors: internal "decode_failed"; then nothing is kept.
  Result<std::optional<Scores>> score(std::span<const Item> items,
                                      const OwnerThread::StopCheck& stop);

 private:
  struct BatchDeleter {
    void operator()(llama_batch* batch) const;
  };
  /// A prompt that is held.
  struct Row {
    std::vector<Token> prompt;
    std::vector<float> logits;  ///< Behind its last token.
    std::uint64_t last_used = 0;
  };
  /// A token to be computed, and what is then to be done with its logits.
  struct Step {
    std::size_t row = 0;
    std::size_t position = 0;
    Token token = 0;
    std::optional<Token> next;  ///< The token of the text that follows: its score is added.
    std::size_t item = 0;
    bool ends_prompt = false;
  };

  PrefixScorer(LlamaContextHandle context, const llama_model* model);
  Result<std::optional<Scores>> score_group(std::span<const Item> items,
                                            const OwnerThread::StopCheck& stop);
  std::size_t row_for(std::span<const Token> prompt, std::uint64_t group);
  Result<Decoder::Progress> compute(std::span<const Step> steps, Scores& scores,
                                    const OwnerThread::StopCheck& stop);
  void forget(std::size_t row, std::size_t from);

  LlamaContextHandle context_;
  std::unique_ptr<llama_batch, BatchDeleter> batch_;
  std::size_t vocabulary_size_;
  std::vector<Row> rows_;
  std::uint64_t clock_ = 0;
  const OwnerThread::StopCheck* stop_ = nullptr;  ///< Polled by llama.cpp.
};

}  // namespace ingle
