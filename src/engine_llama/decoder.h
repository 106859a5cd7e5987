/// A llama context as a row of tokens that grows, is cut back, and gives logits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine_llama/llama_handles.h"
#include "engine_llama/owner_thread.h"
#include "ingle/core/result.h"
#include "ingle/model/generation.h"

namespace ingle {

struct DecoderOptions {
  TokenCount context_window = 0;
  std::int32_t batch_size = 0;  ///< Tokens per micro-batch.
  std::int32_t threads = 0;
};

/// Used by one thread at a time. Whoever feeds it keeps within the context window.
class Decoder {
 public:
  enum class Rows : std::uint8_t { kLast, kAll };
  enum class Progress : std::uint8_t { kDone, kStopped };

  /// Errors: resource_exhausted "model_too_large" (no memory for the context), with llama.cpp's
  /// words.
  static Result<std::unique_ptr<Decoder>> create(llama_model* model, const DecoderOptions& options);

  ~Decoder();
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;

  /// Appends tokens, a micro-batch at a time. Rows::kAll: at most max_rows() tokens.
  /// kStopped: `stop` said so, between two nodes of the graph; `position` tells how many were
  /// taken. Errors: internal "decode_failed". After one, `cut` to 0 before the next use.
  Result<Progress> feed(std::span<const Token> tokens, Rows rows,
                        const OwnerThread::StopCheck& stop);

  /// Forgets all tokens from `position` on. False when this kind of model cannot keep the rest
  /// (then everything is forgotten).
  bool cut(TokenCount position);

  /// Most rows of logits that one `feed` can ask for: what a batch holds, at most 64 (a row is
  /// large).
  [[nodiscard]] std::size_t max_rows() const;

  /// Tokens held now.
  [[nodiscard]] TokenCount position() const { return position_; }

  /// Logits after the last `feed`, [vocabulary]: of its `row`-th token (kAll) or, with 0, its last
  /// (kLast). Empty when there are none. Valid until the next `feed`.
  [[nodiscard]] std::span<const float> logits(std::size_t row) const;

 private:
  struct BatchDeleter {
    void operator()(llama_batch* batch) const;
  };

  Decoder(LlamaContextHandle context, std::size_t vocabulary_size, std::int32_t batch_size);
  Result<Progress> feed_chunk(std::span<const Token> chunk, Rows rows, bool is_last);

  LlamaContextHandle context_;
  std::unique_ptr<llama_batch, BatchDeleter> batch_;
  std::size_t vocabulary_size_;
  std::size_t batch_size_;
  TokenCount position_ = 0;
  Rows last_rows_ = Rows::kLast;
  const OwnerThread::StopCheck* stop_ = nullptr;  ///< Polled by llama.cpp during `feed`.
};

}  // namespace ingle
