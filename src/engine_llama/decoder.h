/// A llama context as a row of tokens that grows, is cut back, and gives logits.
///
/// It keeps what it has computed: the next prompt of a conversation begins with the last one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine_llama/llama_handles.h"
#include "engine_llama/owner_thread.h"
#include "ingle/core/result.h"
#include "ingle/engine_llama/llama_model.h"
#include "ingle/model/generation.h"

namespace ingle {

struct DecoderOptions {
  TokenCount context_window = 0;
  std::int32_t batch_size = 0;     ///< Tokens per micro-batch.
  std::int32_t threads = 0;        ///< For one token at a time.
  std::int32_t batch_threads = 0;  ///< For more than one.
  KvCacheType cache_type = KvCacheType::kF16;
  std::optional<bool> flash_attention = {};  ///< Unset: llama.cpp decides.
};

/// Used by one thread at a time. Whoever feeds it keeps within the context window.
class Decoder {
 public:
  enum class Rows : std::uint8_t { kLast, kAll };
  enum class Progress : std::uint8_t { kDone, kStopped };

  /// Errors: resource_exhausted "model_too_large" (no memory for the context), with llama.cpp's
  /// words.
  static Result<std::unique_ptr<Decoder>> create(llama_model* model, const DecoderOptions& options);

  /// As `options` say, for one sequence.
  static llama_context_params context_params(const DecoderOptions& options);
  /// Errors: as `create`.
  static Result<LlamaContextHandle> make_context(llama_model* model,
                                                 const llama_context_params& params);

  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Makes it hold `tokens`, with the logits of the last one. What it holds already of their
  /// beginning is kept, and not computed again; `reused` says how many. `tokens` is not empty.
  /// kStopped and errors: as `feed`.
  Result<Progress> prefill(std::span<const Token> tokens, TokenCount& reused,
                           const OwnerThread::StopCheck& stop);

  /// Appends tokens, a micro-batch at a time. Rows::kAll: at most max_rows() tokens.
  /// kStopped: `stop` said so, between two nodes of the graph; `position` tells how many are held.
  /// Errors: internal "decode_failed"; then nothing is held.
  Result<Progress> feed(std::span<const Token> tokens, Rows rows,
                        const OwnerThread::StopCheck& stop);

  /// Forgets all tokens from `position` on. False when this kind of model cannot keep the rest
  /// (then everything is forgotten).
  bool cut(TokenCount position);

  /// Most rows of logits that one `feed` can ask for: what a batch holds, at most 16 (a row is
  /// large).
  [[nodiscard]] std::size_t max_rows() const;

  /// Tokens held now.
  [[nodiscard]] TokenCount position() const { return static_cast<TokenCount>(held_.size()); }

  /// Logits after the last `feed`, [vocabulary]: of its `row`-th token (kAll) or, with 0, its last
  /// (kLast). Empty when there are none. Valid until the next `feed`.
  [[nodiscard]] std::span<const float> logits(std::size_t row) const;

 private:
  struct BatchDeleter {
    void operator()(llama_batch* batch) const;
  };

  /// The part of a context that cannot be cut back: a sliding window, a recurrent state.
  struct Checkpoint {
    TokenCount position = 0;
    std::vector<std::uint8_t> state;
  };

  Decoder(LlamaContextHandle context, const llama_model* model, std::int32_t batch_size);
  Result<Progress> feed_chunk(std::span<const Token> chunk, Rows rows, bool is_last);
  TokenCount keep_beginning_of(std::span<const Token> tokens);
  [[nodiscard]] bool can_cut_to(TokenCount position) const;
  bool restore_checkpoint(TokenCount at_most);
  void add_checkpoint();

  LlamaContextHandle context_;
  std::unique_ptr<llama_batch, BatchDeleter> batch_;
  std::size_t vocabulary_size_;
  std::size_t batch_size_;
  TokenCount window_;  ///< Of sliding-window attention; 0: none.
  bool is_recurrent_;  ///< Cannot be cut at all.
  std::vector<Token> held_;
  std::vector<Checkpoint> checkpoints_;  ///< In the order of their positions.
  Rows last_rows_ = Rows::kLast;
  const OwnerThread::StopCheck* stop_ = nullptr;  ///< Polled by llama.cpp during `feed`.
};

}  // namespace ingle
