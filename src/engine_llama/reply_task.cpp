#include "engine_llama/reply_task.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "engine_llama/reply_reader.h"
#include "engine_llama/sampler.h"
#include "engine_llama/thinking.h"

namespace ingle {
namespace {

/// Among more text than this, no call is expected to begin: its start is looked for by a regular
/// expression over all of the text, whose library needs stack for each byte of it.
constexpr std::size_t kMaxTextBeforeCall = std::size_t{16} << 10U;

ThinkingTracker tracker_for(const ReplySyntax* syntax, const GenerationOptions& options) {
  if (syntax == nullptr) {
    return {"", {}, "", {}};
  }
  return {syntax->thinking_start(), syntax->thinking_ends(), syntax->begun(),
          options.reasoning_budget};
}

class ReplyWriter {
 public:
  ReplyWriter(Decoder& decoder, const Tokenizer& tokenizer, ReplyTask task,
              const OwnerThread::StopCheck& stop, DeltaSink& sink)
      : decoder_(decoder),
        tokenizer_(tokenizer),
        task_(std::move(task)),
        stop_(stop),
        sampler_(*task_.options, task_.prompt),
        reader_(tokenizer, task_.syntax.get(), *task_.options, sink),
        thinking_(tracker_for(task_.syntax.get(), *task_.options)),
        suppressed_(tokenizer.suppressed()) {
    const auto room = task_.context_window - static_cast<TokenCount>(task_.prompt.size());
    max_tokens_ = std::min(task_.options->max_tokens.value_or(room), room);
  }

  Result<Completion> write() {
    INGLE_TRY(const Decoder::Progress prefill,
              decoder_.prefill(task_.prompt, usage_.cached_tokens, stop_));
    usage_.prompt_tokens = decoder_.position();
    if (prefill == Decoder::Progress::kStopped) {
      return finished(FinishReason::kCancelled);
    }
    for (;;) {
      INGLE_TRY(const Token token, next_token());
      ++usage_.completion_tokens;
      note_logprobs(token);
      INGLE_TRY(const std::optional<FinishReason> end, take(token));
      if (end) {
        return finished(*end);
      }
      const Token next[] = {token};
      INGLE_TRY(const Decoder::Progress progress, decoder_.feed(next, Decoder::Rows::kLast, stop_));
      if (progress == Decoder::Progress::kStopped) {
        return finished(FinishReason::kCancelled);
      }
    }
  }

 private:
  Result<Token> next_token() {
    if (forced_.empty() && thinking_.must_end()) {
      INGLE_TRY(const std::vector<Token> tag, tokenizer_.tokenize_inside(thinking_.end_tag()));
      forced_.assign(tag.begin(), tag.end());
    }
    if (!forced_.empty()) {
      const Token token = forced_.front();
      forced_.pop_front();
      return token;
    }
    INGLE_RETURN_IF_ERROR(prepare_mask());
    auto token = sampler_.pick(decoder_.logits(0), mask_);
    // Asking about one token is quick, about all of them is not; most often the first is right.
    if (token && is_grammar_on() && !task_.grammar->allows(*token)) {
      if (mask_.empty()) {
        allow_all();
      }
      task_.grammar->narrow(mask_);
      token = sampler_.pick(decoder_.logits(0), mask_);
    }
    if (token) {
      return *token;
    }
    return Error{ErrorCode::kInternal,
                 "decode_failed",
                 "the model gave no usable next token; its file may be damaged",
                 {}};
  }

  Result<void> prepare_mask() {
    if (task_.matcher && !thinking_.is_thinking()) {
      INGLE_RETURN_IF_ERROR(task_.matcher->compute_mask(mask_));
    } else if (!suppressed_.empty()) {
      allow_all();
    } else {
      mask_.clear();
    }
    for (const Token token : suppressed_) {
      const auto index = static_cast<std::size_t>(token);
      if (index < tokenizer_.size()) {
        mask_[index / 32] &= ~(1U << (index % 32));
      }
    }
    return {};
  }

  void allow_all() {
    const std::size_t size = tokenizer_.size();
    mask_.assign((size + 31) / 32, ~0U);
    if (size % 32 != 0) {
      mask_.back() = (1U << (size % 32)) - 1;
    }
  }

  /// A grammar that holds from the start has the thoughts in it; one that waits for a call must not
  /// find it among them.
  [[nodiscard]] bool is_grammar_on() const {
    return task_.grammar && !(task_.syntax->grammar().is_lazy && thinking_.is_thinking());
  }

  /// Adds the token to the reply. Tells why the reply ends with it, if it does.
  Result<std::optional<FinishReason>> take(Token token) {
    using End = std::optional<FinishReason>;
    if (tokenizer_.ends_generation(token)) {
      return End(FinishReason::kStop);
    }
    sampler_.accept(token);
    if (task_.matcher && !thinking_.is_thinking()) {
      INGLE_RETURN_IF_ERROR(task_.matcher->accept(token));
    }
    accept_in_grammar(token);
    thinking_.push(tokenizer_.markup_of(token));
    reader_.push(token);
    if (reader_.is_stopped() || (task_.matcher && task_.matcher->is_finished())) {
      return End(FinishReason::kStop);
    }
    if (usage_.completion_tokens >= max_tokens_) {
      return End(FinishReason::kLength);
    }
    return End();
  }

  /// A call may begin in the middle of a token, and go on in it as the grammar does not have it.
  /// The grammar is a help then that is gone; whether it is a call is said by the parser.
  void accept_in_grammar(Token token) {
    if (!is_grammar_on()) {
      return;
    }
    text_before_call_ += task_.syntax->grammar().is_lazy ? tokenizer_.bytes_of(token).size() : 0;
    if (!task_.grammar->accept(token) || text_before_call_ > kMaxTextBeforeCall) {
      task_.grammar.reset();
    }
  }

  void note_logprobs(Token token) {
    if (!task_.options->logprobs) {
      return;
    }
    TokenChoice choice = log_probabilities(decoder_.logits(0), token,
                                           static_cast<std::size_t>(*task_.options->logprobs));
    choice.chosen.bytes = tokenizer_.markup_of(token);
    for (TokenLogprob& alternative : choice.alternatives) {
      alternative.bytes = tokenizer_.markup_of(alternative.token);
    }
    logprobs_.push_back(std::move(choice));
  }

  Completion finished(FinishReason reason) {
    Completion completion;
    completion.warnings = std::move(task_.warnings);
    completion.message = reader_.finish(completion.warnings);
    completion.finish_reason = reason;
    if (reason == FinishReason::kStop && !completion.message.tool_calls.empty()) {
      completion.finish_reason = FinishReason::kToolCalls;
    }
    if (reason == FinishReason::kCancelled) {
      completion.message.tool_calls.clear();  // nobody has asked for them to the end
    }
    completion.usage = usage_;
    completion.logprobs = std::move(logprobs_);
    return completion;
  }

  Decoder& decoder_;
  const Tokenizer& tokenizer_;
  ReplyTask task_;
  const OwnerThread::StopCheck& stop_;
  Sampler sampler_;
  ReplyReader reader_;
  ThinkingTracker thinking_;
  std::vector<Token> suppressed_;
  TokenCount max_tokens_ = 0;
  std::vector<std::uint32_t> mask_;
  std::deque<Token> forced_;
  std::size_t text_before_call_ = 0;
  std::vector<TokenChoice> logprobs_;
  Usage usage_;
};

}  // namespace

Result<Completion> write_reply(Decoder& decoder, const Tokenizer& tokenizer, ReplyTask task,
                               const OwnerThread::StopCheck& stop, DeltaSink& sink) {
  return ReplyWriter(decoder, tokenizer, std::move(task), stop, sink).write();
}

}  // namespace ingle
