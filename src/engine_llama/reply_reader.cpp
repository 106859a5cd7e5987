#include "engine_llama/reply_reader.h"

#include <utility>

namespace ingle {

ReplyReader::ReplyReader(const Tokenizer& tokenizer, const ReplySyntax* syntax,
                         const GenerationOptions& options, DeltaSink& sink)
    : tokenizer_(tokenizer),
      characters_(syntax == nullptr ? std::vector<std::string>() : syntax->stops()),
      sink_(options.stop, sink) {
  if (syntax == nullptr) {
    return;
  }
  if (options.parallel_tool_calls.value_or(true)) {
    parser_.emplace(*syntax);
  } else {
    parser_.emplace(*syntax, 1);
  }
  for (const std::string& marker : syntax->kept_markers()) {
    if (const auto token = tokenizer.marker(marker)) {
      kept_.emplace(*token, marker);
    }
  }
}

void ReplyReader::push(Token token) {
  const auto kept = kept_.find(token);
  read(characters_.push(kept == kept_.end() ? tokenizer_.bytes_of(token) : kept->second));
}

bool ReplyReader::is_stopped() const {
  return characters_.is_stopped() || sink_.is_stopped() || (parser_ && parser_->has_surplus());
}

void ReplyReader::read(std::string text) {
  if (text.empty()) {
    return;
  }
  if (parser_) {
    parser_->push(text, sink_);
  } else {
    sink_.on_delta(TextDelta{std::move(text)});
  }
}

Message ReplyReader::finish(std::vector<std::string>& warnings) {
  read(characters_.finish());
  Message message;
  message.role = Role::kAssistant;
  if (parser_) {
    message = parser_->finish(sink_, warnings);
  }
  sink_.finish();
  // Of the text, what the stop string let through.
  std::erase_if(message.content,
                [](const ContentPart& part) { return std::holds_alternative<TextPart>(part); });
  if (!sink_.passed().empty()) {
    message.content.emplace_back(TextPart{sink_.passed()});
  }
  return message;
}

void ReplyReader::StopSink::on_delta(const Delta& delta) {
  if (const auto* text = std::get_if<TextDelta>(&delta)) {
    pass(text_.push(text->text));
  } else if (!text_.is_stopped()) {
    sink_.on_delta(delta);
  }
}

void ReplyReader::StopSink::finish() { pass(text_.finish()); }

void ReplyReader::StopSink::pass(std::string text) {
  if (!text.empty()) {
    passed_ += text;
    sink_.on_delta(TextDelta{std::move(text)});
  }
}

}  // namespace ingle
