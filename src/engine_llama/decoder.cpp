#include "engine_llama/decoder.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "engine_llama/llama_log.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxRows =
    8;  ///< A row is 200 kB for a small vocabulary already, and is there twice.
constexpr std::size_t kMaxCheckpoints = 3;
/// A checkpoint is made this many tokens before the end of a prompt: the same prompt with another
/// end is computed from there.
constexpr std::size_t kCheckpointDistance = 4;

ggml_type type_of(KvCacheType type) {
  switch (type) {
    case KvCacheType::kF16:
      return GGML_TYPE_F16;
    case KvCacheType::kQ8:
      return GGML_TYPE_Q8_0;
    case KvCacheType::kQ4:
      return GGML_TYPE_Q4_0;
  }
  return GGML_TYPE_F16;
}

llama_flash_attn_type flash_attention_of(std::optional<bool> wanted) {
  if (!wanted) {
    return LLAMA_FLASH_ATTN_TYPE_AUTO;
  }
  return *wanted ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
}

Error decode_failed(const std::string& why) {
  return {ErrorCode::kInternal, "decode_failed", "the model could not compute: " + why, {}};
}

}  // namespace

void Decoder::BatchDeleter::operator()(llama_batch* batch) const {
  llama_batch_free(*batch);
  delete batch;
}

llama_context_params Decoder::context_params(const DecoderOptions& options) {
  llama_context_params params = llama_context_default_params();
  params.n_ctx = static_cast<std::uint32_t>(options.context_window);
  params.n_batch = static_cast<std::uint32_t>(options.batch_size);
  params.n_ubatch = static_cast<std::uint32_t>(options.batch_size);
  params.n_seq_max = 1;
  params.n_outputs_max = static_cast<std::uint32_t>(
      std::min<std::size_t>(static_cast<std::size_t>(options.batch_size), kMaxRows));
  params.n_threads = options.threads;
  params.n_threads_batch = options.batch_threads;
  params.type_k = type_of(options.cache_type);
  params.type_v = type_of(options.cache_type);
  params.flash_attn_type = flash_attention_of(options.flash_attention);
  params.swa_full = false;  // what slides out of a window comes back from checkpoints
  params.no_perf = true;
  return params;
}

Result<LlamaContextHandle> Decoder::make_context(llama_model* model,
                                                 const llama_context_params& params) {
  const LlamaErrorLines lines;
  std::string thrown;
  LlamaContextHandle context;
  try {
    context.reset(llama_init_from_model(model, params));
  } catch (const std::exception& exception) {
    thrown = std::string(": ") + exception.what();
  }
  if (context) {
    return context;
  }
  return Error{ErrorCode::kResourceExhausted,
               "model_too_large",
               "a context of " + std::to_string(params.n_ctx) +
                   " tokens could not be made; ask for a smaller one" + thrown + lines.quoted(),
               {}};
}

Result<std::unique_ptr<Decoder>> Decoder::create(llama_model* model,
                                                 const DecoderOptions& options) {
  INGLE_TRY(LlamaContextHandle context, make_context(model, context_params(options)));
  return std::unique_ptr<Decoder>(new Decoder(std::move(context), model, options.batch_size));
}

Decoder::Decoder(LlamaContextHandle context, const llama_model* model, std::int32_t batch_size)
    : context_(std::move(context)),
      batch_(new llama_batch(llama_batch_init(batch_size, 0, 1))),
      vocabulary_size_(
          static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model)))),
      batch_size_(static_cast<std::size_t>(batch_size)),
      window_(llama_model_n_swa(model)),
      is_recurrent_(llama_model_is_recurrent(model) || llama_model_is_hybrid(model)) {
  llama_set_abort_callback(
      context_.get(),
      [](void* self) {
        const auto* stop = static_cast<Decoder*>(self)->stop_;
        return stop != nullptr && stop->should_stop();
      },
      this);
}

Decoder::~Decoder() = default;

Result<Decoder::Progress> Decoder::prefill(std::span<const Token> tokens, TokenCount& reused,
                                           const OwnerThread::StopCheck& stop) {
  reused = keep_beginning_of(tokens);
  auto rest = tokens.subspan(static_cast<std::size_t>(reused));
  if ((window_ > 0 || is_recurrent_) && rest.size() > kCheckpointDistance) {
    const auto first = rest.first(rest.size() - kCheckpointDistance);
    INGLE_TRY(const Progress progress, feed(first, Rows::kLast, stop));
    if (progress == Progress::kStopped) {
      return progress;
    }
    add_checkpoint();
    rest = rest.subspan(first.size());
  }
  return feed(rest, Rows::kLast, stop);
}

/// Cuts back to what is held of the beginning of `tokens`, without the last of them, whose logits
/// are wanted. Returns how many tokens that are.
TokenCount Decoder::keep_beginning_of(std::span<const Token> tokens) {
  const auto [ours, theirs] =
      std::mismatch(held_.begin(), held_.end(), tokens.begin(), tokens.end() - 1);
  const auto common = static_cast<TokenCount>(ours - held_.begin());
  if (common == position()) {
    return common;
  }
  if (!can_cut_to(common)) {
    restore_checkpoint(common);
    return position();
  }
  cut(common);
  return position();
}

bool Decoder::can_cut_to(TokenCount position) const {
  if (is_recurrent_) {
    return false;
  }
  const llama_pos first = llama_memory_seq_pos_min(llama_get_memory(context_.get()), 0);
  return window_ == 0 || first == 0 || first < position - window_;
}

/// Goes back to the newest checkpoint up to there; without one everything is forgotten.
bool Decoder::restore_checkpoint(TokenCount at_most) {
  while (!checkpoints_.empty() && checkpoints_.back().position > at_most) {
    checkpoints_.pop_back();
  }
  if (!checkpoints_.empty()) {
    const Checkpoint& checkpoint = checkpoints_.back();
    const bool is_restored = llama_state_seq_set_data_ext(
                                 context_.get(), checkpoint.state.data(), checkpoint.state.size(),
                                 0, LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY) != 0 &&
                             llama_memory_seq_rm(llama_get_memory(context_.get()), 0,
                                                 static_cast<llama_pos>(checkpoint.position), -1);
    if (is_restored) {
      held_.resize(static_cast<std::size_t>(checkpoint.position));
      return true;
    }
  }
  cut(0);
  return false;
}

void Decoder::add_checkpoint() {
  Checkpoint checkpoint{.position = position(), .state = {}};
  checkpoint.state.resize(
      llama_state_seq_get_size_ext(context_.get(), 0, LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY));
  const std::size_t size =
      llama_state_seq_get_data_ext(context_.get(), checkpoint.state.data(), checkpoint.state.size(),
                                   0, LLAMA_STATE_SEQ_FLAGS_PARTIAL_ONLY);
  if (size == 0 || size != checkpoint.state.size()) {
    return;  // Not this time: the next prompt is computed from its beginning.
  }
  while (!checkpoints_.empty() && checkpoints_.back().position >= checkpoint.position) {
    checkpoints_.pop_back();
  }
  if (checkpoints_.size() == kMaxCheckpoints) {
    checkpoints_.erase(checkpoints_.begin());
  }
  checkpoints_.push_back(std::move(checkpoint));
}

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
  if (!progress.ok()) {
    cut(0);
  }
  return progress;
}

Result<Decoder::Progress> Decoder::feed_chunk(std::span<const Token> chunk, Rows rows,
                                              bool is_last) {
  llama_batch& batch = *batch_;
  batch.n_tokens = static_cast<std::int32_t>(chunk.size());
  for (std::size_t i = 0; i < chunk.size(); ++i) {
    batch.token[i] = chunk[i];
    batch.pos[i] = static_cast<llama_pos>(held_.size() + i);
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
  held_.insert(held_.end(), chunk.begin(), chunk.end());
  return Progress::kDone;
}

bool Decoder::cut(TokenCount position) {
  const llama_memory_t memory = llama_get_memory(context_.get());
  const bool is_kept =
      position > 0 && llama_memory_seq_rm(memory, 0, static_cast<llama_pos>(position), -1);
  if (!is_kept) {
    llama_memory_clear(memory, false);
    checkpoints_.clear();
  }
  held_.resize(is_kept ? std::min(held_.size(), static_cast<std::size_t>(position)) : 0);
  while (!checkpoints_.empty() && checkpoints_.back().position > this->position()) {
    checkpoints_.pop_back();
  }
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
