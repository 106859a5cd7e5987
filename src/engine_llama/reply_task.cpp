#include "engine_llama/reply_task.h"

#include <algorithm>
#include <utility>

#include "engine_llama/reply_text.h"
#include "engine_llama/sampler.h"

namespace ingle {
namespace {

class ReplyWriter {
 public:
  ReplyWriter(Decoder& decoder, const Tokenizer& tokenizer, ReplyTask task,
              const OwnerThread::StopCheck& stop, DeltaSink& sink)
      : decoder_(decoder),
        tokenizer_(tokenizer),
        task_(std::move(task)),
        stop_(stop),
        sink_(sink),
        sampler_(*task_.options),
        text_(task_.options->stop),
        suppressed_(tokenizer.suppressed()) {
    const auto room = task_.context_window - static_cast<TokenCount>(task_.prompt.size());
    max_tokens_ = std::min(task_.options->max_tokens.value_or(room), room);
  }

  Result<Completion> write() {
    INGLE_TRY(const Decoder::Progress prefill,
              decoder_.feed(task_.prompt, Decoder::Rows::kLast, stop_));
    usage_.prompt_tokens = decoder_.position();
    if (prefill == Decoder::Progress::kStopped) {
      return finished(FinishReason::kCancelled);
    }
    for (;;) {
      INGLE_TRY(const Token token, next_token());
      ++usage_.completion_tokens;
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
    if (task_.matcher) {
      INGLE_RETURN_IF_ERROR(task_.matcher->compute_mask(mask_));
    } else if (!suppressed_.empty() && mask_.empty()) {
      mask_.assign((tokenizer_.size() + 31) / 32, ~0U);
    }
    for (const Token token : suppressed_) {
      const auto index = static_cast<std::size_t>(token);
      if (index < tokenizer_.size()) {
        mask_[index / 32] &= ~(1U << (index % 32));
      }
    }
    if (const auto token = sampler_.pick(decoder_.logits(0), mask_)) {
      return *token;
    }
    return Error{ErrorCode::kInternal,
                 "decode_failed",
                 "the model gave no usable next token; its file may be damaged",
                 {}};
  }

  /// Adds the token to the reply. Tells why the reply ends with it, if it does.
  Result<std::optional<FinishReason>> take(Token token) {
    using End = std::optional<FinishReason>;
    if (tokenizer_.ends_generation(token)) {
      return End(FinishReason::kStop);
    }
    if (task_.matcher) {
      INGLE_RETURN_IF_ERROR(task_.matcher->accept(token));
    }
    emit(text_.push(tokenizer_.bytes_of(token)));
    if (text_.is_stopped() || (task_.matcher && task_.matcher->is_finished())) {
      return End(FinishReason::kStop);
    }
    if (usage_.completion_tokens >= max_tokens_) {
      return End(FinishReason::kLength);
    }
    return End();
  }

  void emit(std::string text) {
    if (!text.empty()) {
      written_ += text;
      sink_.on_delta(TextDelta{std::move(text)});
    }
  }

  Completion finished(FinishReason reason) {
    emit(text_.finish());
    Completion completion;
    completion.message.role = Role::kAssistant;
    if (!written_.empty()) {
      completion.message.content.emplace_back(TextPart{std::move(written_)});
    }
    completion.finish_reason = reason;
    completion.usage = usage_;
    return completion;
  }

  Decoder& decoder_;
  const Tokenizer& tokenizer_;
  ReplyTask task_;
  const OwnerThread::StopCheck& stop_;
  DeltaSink& sink_;
  Sampler sampler_;
  ReplyText text_;
  std::vector<Token> suppressed_;
  TokenCount max_tokens_ = 0;
  std::vector<std::uint32_t> mask_;
  std::string written_;
  Usage usage_;
};

}  // namespace

Result<Completion> write_reply(Decoder& decoder, const Tokenizer& tokenizer, ReplyTask task,
                               const OwnerThread::StopCheck& stop, DeltaSink& sink) {
  decoder.cut(0);
  auto reply = ReplyWriter(decoder, tokenizer, std::move(task), stop, sink).write();
  decoder.cut(0);
  return reply;
}

}  // namespace ingle
