#include "engine_llama/prefix_scorer.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include "engine_llama/llama_log.h"
#include "engine_llama/score_task.h"

namespace ingle {
namespace {

constexpr std::size_t kBatch = 128;  ///< Tokens per micro-batch; each has a row of logits.

Error decode_failed(const std::string& why) {
  return {ErrorCode::kInternal, "decode_failed", "the model could not compute: " + why, {}};
}

}  // namespace

void PrefixScorer::BatchDeleter::operator()(llama_batch* batch) const {
  llama_batch_free(*batch);
  delete batch;
}

Result<std::unique_ptr<PrefixScorer>> PrefixScorer::create(llama_model* model,
                                                           const DecoderOptions& options) {
  llama_context_params params = Decoder::context_params(options);
  params.n_ctx = static_cast<std::uint32_t>(kRowTokens * kRows);
  params.n_batch = static_cast<std::uint32_t>(kBatch);
  params.n_ubatch = static_cast<std::uint32_t>(kBatch);
  params.n_seq_max = static_cast<std::uint32_t>(kRows);
  params.n_outputs_max = static_cast<std::uint32_t>(kBatch);
  params.kv_unified = false;  // a row attends to itself alone
  INGLE_TRY(LlamaContextHandle context, Decoder::make_context(model, params));
  return std::unique_ptr<PrefixScorer>(new PrefixScorer(std::move(context), model));
}

PrefixScorer::PrefixScorer(LlamaContextHandle context, const llama_model* model)
    : context_(std::move(context)),
      batch_(new llama_batch(llama_batch_init(static_cast<std::int32_t>(kBatch), 0, 1))),
      vocabulary_size_(
          static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model)))),
      rows_(kRows) {
  llama_set_abort_callback(
      context_.get(),
      [](void* self) {
        const auto* stop = static_cast<PrefixScorer*>(self)->stop_;
        return stop != nullptr && stop->should_stop();
      },
      this);
}

PrefixScorer::~PrefixScorer() = default;

Result<std::optional<Scores>> PrefixScorer::score(std::span<const Item> items,
                                                  const OwnerThread::StopCheck& stop) {
  Scores all;
  while (!items.empty()) {
    const auto group = items.first(std::min(items.size(), kRows));
    items = items.subspan(group.size());
    auto scores = score_group(group, stop);
    if (!scores || !*scores) {
      for (std::size_t row = 0; row < rows_.size(); ++row) {
        rows_[row] = {};
        forget(row, 0);
      }
      return scores;
    }
    all.usage += (*scores)->usage;
    all.log_likelihoods.insert(all.log_likelihoods.end(), (*scores)->log_likelihoods.begin(),
                               (*scores)->log_likelihoods.end());
  }
  return std::optional<Scores>(std::move(all));
}

Result<std::optional<Scores>> PrefixScorer::score_group(std::span<const Item> items,
                                                        const OwnerThread::StopCheck& stop) {
  Scores scores{.log_likelihoods = std::vector<double>(items.size(), 0.0), .usage = {}};
  const std::uint64_t group = ++clock_;
  std::vector<Step> steps;
  std::vector<std::size_t> used;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto& [prompt, text] = items[i];
    const std::size_t row = row_for(prompt, group);
    used.push_back(row);
    if (rows_[row].logits.empty()) {
      for (std::size_t at = 0; at < prompt.size(); ++at) {
        const bool is_last = at + 1 == prompt.size();
        steps.push_back({.row = row,
                         .position = at,
                         .token = prompt[at],
                         .next = is_last ? std::optional(text.front()) : std::nullopt,
                         .item = i,
                         .ends_prompt = is_last});
      }
    } else {
      scores.usage.cached_tokens += static_cast<TokenCount>(prompt.size());
      scores.log_likelihoods[i] += log_probability(rows_[row].logits, text.front());
    }
    for (std::size_t at = 0; at + 1 < text.size(); ++at) {
      steps.push_back({.row = row,
                       .position = prompt.size() + at,
                       .token = text[at],
                       .next = text[at + 1],
                       .item = i});
    }
    scores.usage.prompt_tokens += static_cast<TokenCount>(prompt.size() + text.size());
  }
  INGLE_TRY(const Decoder::Progress progress, compute(steps, scores, stop));
  if (progress == Decoder::Progress::kStopped) {
    return std::optional<Scores>();
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    forget(used[i], items[i].prompt.size());
  }
  return std::optional<Scores>(std::move(scores));
}

/// The row that holds the prompt, or the one that was longest not used, made empty.
std::size_t PrefixScorer::row_for(std::span<const Token> prompt, std::uint64_t group) {
  std::size_t oldest = 0;
  for (std::size_t row = 0; row < rows_.size(); ++row) {
    // Two equal prompts in one group get a row each: their texts would mix.
    if (rows_[row].last_used != group && std::ranges::equal(rows_[row].prompt, prompt)) {
      rows_[row].last_used = group;
      return row;
    }
    if (rows_[row].last_used < rows_[oldest].last_used) {
      oldest = row;
    }
  }
  rows_[oldest] = {.prompt = {prompt.begin(), prompt.end()}, .logits = {}, .last_used = group};
  forget(oldest, 0);
  return oldest;
}

/// The steps of a row stand in their order; those of several rows share batches.
Result<Decoder::Progress> PrefixScorer::compute(std::span<const Step> steps, Scores& scores,
                                                const OwnerThread::StopCheck& stop) {
  // By position behind the row's start: so each batch has as many tokens of each row as can be.
  // Equal ones stay in their order (stable_sort of libstdc++ 12 is deprecated code to clang).
  std::vector<const Step*> order;
  for (const Step& step : steps) {
    order.push_back(&step);
  }
  std::ranges::sort(order, {}, [](const Step* step) { return std::pair(step->position, step); });
  for (std::size_t done = 0; done < order.size();) {
    if (stop.should_stop()) {
      return Decoder::Progress::kStopped;
    }
    const std::size_t count = std::min(kBatch, order.size() - done);
    llama_batch& batch = *batch_;
    batch.n_tokens = static_cast<std::int32_t>(count);
    for (std::size_t i = 0; i < count; ++i) {
      const Step& step = *order[done + i];
      batch.token[i] = step.token;
      batch.pos[i] = static_cast<llama_pos>(step.position);
      batch.n_seq_id[i] = 1;
      batch.seq_id[i][0] = static_cast<llama_seq_id>(step.row);
      batch.logits[i] = step.next ? 1 : 0;
    }
    const LlamaErrorLines lines;
    std::int32_t status = 0;
    stop_ = &stop;
    try {
      status = llama_decode(context_.get(), batch);
      llama_synchronize(context_.get());
    } catch (const std::exception& exception) {
      stop_ = nullptr;
      return decode_failed(exception.what() + lines.quoted());
    }
    stop_ = nullptr;
    if (status == 2) {
      return Decoder::Progress::kStopped;
    }
    if (status != 0) {
      return decode_failed("llama_decode returned " + std::to_string(status) + lines.quoted());
    }
    for (std::size_t i = 0; i < count; ++i) {
      const Step& step = *order[done + i];
      if (!step.next) {
        continue;
      }
      const float* const values =
          llama_get_logits_ith(context_.get(), static_cast<std::int32_t>(i));
      if (values == nullptr) {
        return decode_failed("there are no logits");
      }
      const std::span<const float> logits(values, vocabulary_size_);
      scores.log_likelihoods[step.item] += log_probability(logits, *step.next);
      if (step.ends_prompt) {
        rows_[step.row].logits.assign(logits.begin(), logits.end());
      }
    }
    done += count;
  }
  return Decoder::Progress::kDone;
}

/// Cuts a row back to its prompt, or empties it where this kind of model cannot be cut.
void PrefixScorer::forget(std::size_t row, std::size_t from) {
  const llama_memory_t memory = llama_get_memory(context_.get());
  const auto sequence = static_cast<llama_seq_id>(row);
  if (from == 0 || !llama_memory_seq_rm(memory, sequence, static_cast<llama_pos>(from), -1)) {
    llama_memory_seq_rm(memory, sequence, -1, -1);
    if (from > 0) {
      rows_[row] = {};
    }
  }
}

}  // namespace ingle
