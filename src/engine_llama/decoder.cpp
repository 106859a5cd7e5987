#include "engine_llama/decoder.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "engine_llama/llama_log.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxRows = 64;

Error decode_failed(const std::string& why) {
  return {ErrorCode::kInternal, "decode_failed", "the model could not compute: " + why, {}};
}

llama_context_params context_params(const DecoderOptions& options) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(options.context_window);
  params.n_batch = static_cast<std::uint32_t>(options.batch_size);
  params.n_ubatch = static_cast<std::uint32_t>(options.batch_size);
  params.n_seq_max = 1;
  params.n_outputs_max = static_cast<std::uint32_t>(
      std::min<std::size_t>(static_cast<std::size_t>(options.batch_size), kMaxRows));
  params.n_threads = options.threads;
  params.n_threads_batch = options.threads;
  params.no_perf = true;
  return params;
}

}  // namespace

void Decoder::BatchDeleter::operator()(llama_batch* batch) const {
  llama_batch_free(*batch);
  delete batch;
}

Result<std::unique_ptr<Decoder>> Decoder::create(llama_model* model,
                                                 const DecoderOptions& options) {
  const LlamaErrorLines lines;
  std::string thrown;
  LlamaContextHandle context;
  try {
    context.reset(llama_init_from_model(model, context_params(options)));
  } catch (const std::exception& exception) {
    thrown = std::string(": ") + exception.what();
  }
  if (!context) {
    return Error{ErrorCode::kResourceExhausted,
                 "model_too_large",
                 "a context of " + std::to_string(options.context_window) +
                     " tokens could not be made; ask for a smaller one" + thrown + lines.quoted(),
                 {}};
  }
  const auto vocabulary_size =
      static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model)));
  return std::unique_ptr<Decoder>(
      new Decoder(std::move(context), vocabulary_size, options.batch_size));
}

Decoder::Decoder(LlamaContextHandle context, std::size_t vocabulary_size, std::int32_t batch_size)
    : context_(std::move(context)),
      batch_(new llama_batch(llama_batch_init(batch_size, 0, 1))),
      vocabulary_size_(vocabulary_size),
      batch_size_(static_cast<std::size_t>(batch_size)) {
  llama_set_abort_callback(
      context_.get(),
      [](void* self) {
        const auto* stop = static_cast<Decoder*>(self)->stop_;
        return stop != nullptr && stop->should_stop();
      },
      this);
}

Decoder::~Decoder() = default;

Result<Decoder::Progress> Decoder::feed(std::span<const Token> tokens, Rows rows,
                                        const OwnerThread::StopCheck& stop) {
  INGLE_CHECK(rows == Rows::kLast || tokens.size() <= max_rows(), "too many rows of logits");
  stop_ = &stop;
  Result<Progress> progress = Progress::kDone;
  while (!tokens.empty() && progress.ok() && *progress == Progress::kDone) {
    if (stop.should_stop()) {
      progress = Progress::kStopped;
      break;
    }
    const auto chunk = tokens.first(std::min(tokens.size(), batch_size_));
    tokens = tokens.subspan(chunk.size());
    progress = feed_chunk(chunk, rows, tokens.empty());
  }
  stop_ = nullptr;
  return progress;
}

Result<Decoder::Progress> Decoder::feed_chunk(std::span<const Token> chunk, Rows rows,
                                              bool is_last) {
  llama_batch& batch = *batch_;
  batch.n_tokens = static_cast<std::int32_t>(chunk.size());
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    batch.token[i] = chunk[i];
    batch.pos[i] = static_cast<llama_pos>(position_) + static_cast<llama_pos>(i);
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = 0;
    const bool wants_logits = rows == Rows::kAll || (is_last && i + 1 == chunk.size());
    batch.logits[i] = wants_logits ? 1 : 0;
  }
  last_rows_ = rows;
  const LlamaErrorLines lines;
  std::int32_t status = 0;
  try {
    status = llama_decode(context_.get(), batch);
    llama_synchronize(context_.get());
  } catch (const std::exception& exception) {
    return decode_failed(exception.what() + lines.quoted());
  }
  if (status == 2) {
    return Progress::kStopped;  // this micro-batch is not in memory
  }
  if (status != 0) {
    return decode_failed("llama_decode returned " + std::to_string(status) + lines.quoted());
  }
  position_ += static_cast<TokenCount>(chunk.size());
  return Progress::kDone;
}

bool Decoder::cut(TokenCount position) {
  const llama_memory_t memory = llama_get_memory(context_.get());
  const bool is_kept =
      position > 0 && llama_memory_seq_rm(memory, 0, static_cast<llama_pos>(position), -1);
  if (!is_kept) {
    llama_memory_clear(memory, false);
  }
  position_ = is_kept ? std::min(position, position_) : 0;
  return is_kept || position == 0;
}

std::size_t Decoder::max_rows() const { return std::min(batch_size_, kMaxRows); }

std::span<const float> Decoder::logits(std::size_t row) const {
  const auto index = last_rows_ == Rows::kAll ? static_cast<std::int32_t>(row) : -1;
  const float* const values = llama_get_logits_ith(context_.get(), index);
  return values == nullptr ? std::span<const float>()
                           : std::span<const float>(values, vocabulary_size_);
}

}  // namespace ingle
