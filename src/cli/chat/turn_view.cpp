#include "cli/chat/turn_view.h"

#include <fmt/format.h>

#include <ostream>
#include <utility>
#include <variant>

#include "cli/text/terminal_text.h"

namespace ingle::cli {
namespace {

constexpr std::string_view kDim = "\x1b[2m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kPlain = "\x1b[0m";

}  // namespace

std::string cost_line(const TurnCost& cost) {
  const Usage& usage = cost.usage;
  std::string line = fmt::format("{} tokens in", usage.prompt_tokens);
  if (usage.cached_tokens > 0) {
    line += fmt::format(" ({} cached)", usage.cached_tokens);
  }
  line += fmt::format(", {} out, {:.1f} s", usage.completion_tokens, cost.time.count());
  if (cost.streamed_tokens > 0 && cost.streaming_time.count() > 0) {
    const double rate = static_cast<double>(cost.streamed_tokens) / cost.streaming_time.count();
    line += fmt::format(", {:.{}f} tokens/s", rate, rate < 10 ? 1 : 0);
  }
  return line;
}

TurnView::TurnView(Streams& streams, const LineReader& lines, bool is_lively, const Clock& clock)
    : streams_(streams), lines_(lines), is_lively_(is_lively), clock_(clock) {}

void TurnView::begin_turn() { cost_ = {}; }

void TurnView::begin_part(CancelSource cancel) {
  cancel_ = std::move(cancel);
  part_began_ = clock_.steady_now();
}

void TurnView::end_part() {
  end_line();
  cost_.time += clock_.steady_now() - part_began_;
}

void TurnView::on_event(const Event& event) {
  if (std::holds_alternative<ModelCalled>(event.body)) {
    ++model_calls_;
    pieces_ = 0;
    reply_text_.clear();
  } else if (const auto* reply = std::get_if<ModelReplied>(&event.body)) {
    on_reply(*reply);
  } else if (const auto* started = std::get_if<ToolStarted>(&event.body)) {
    show_call(started->call_id);
    if (started->attempt > 1) {
      write_note(fmt::format("it started before and did not end: attempt {}", started->attempt));
    }
  } else if (const auto* finished = std::get_if<ToolFinished>(&event.body)) {
    on_finished(*finished);
  }
}

void TurnView::on_delta(const Delta& delta) {
  last_piece_ = clock_.steady_now();
  if (pieces_++ == 0) {
    first_piece_ = last_piece_;
  }
  if (const auto* text = std::get_if<TextDelta>(&delta)) {
    reply_text_ += text->text;
    write_text(text->text);
  } else if (const auto* reasoning = std::get_if<ReasoningDelta>(&delta)) {
    write_reasoning(reasoning->text);
  }
}

void TurnView::on_reply(const ModelReplied& reply) {
  remember_calls({reply.message});
  const std::string text = reply.message.text();
  // An engine need not stream: what has not come yet comes now.
  if (std::string_view rest(text); rest.starts_with(reply_text_)) {
    rest.remove_prefix(reply_text_.size());
    write_text(rest);
  }
  end_line();
  cost_.usage += reply.usage;
  if (pieces_ > 1) {
    cost_.streamed_tokens += reply.usage.completion_tokens - 1;
    cost_.streaming_time += last_piece_ - first_piece_;
  }
  for (const std::string& warning : reply.warnings) {
    write_note("warning: " + warning);
  }
}

void TurnView::on_finished(const ToolFinished& finished) {
  show_call(finished.call_id);
  end_line();
  streams_.err << result_card(finished, card_style());
  streams_.err.flush();
}

void TurnView::remember_calls(const std::vector<Message>& messages) {
  for (const Message& message : messages) {
    for (const ToolCall& call : message.tool_calls) {
      calls_[call.id] = call;
    }
  }
}

void TurnView::forget_calls() {
  calls_.clear();
  shown_calls_.clear();
}

void TurnView::show_call(const CallId& id) {
  const auto call = calls_.find(id);
  if (call == calls_.end() || !shown_calls_.insert(id).second) {
    return;
  }
  end_line();
  streams_.err << call_card(call->second, card_style());
  streams_.err.flush();
}

void TurnView::show_call_again(const CallId& id) {
  shown_calls_.erase(id);
  show_call(id);
}

void TurnView::write_text(std::string_view text) {
  if (text.empty()) {
    return;
  }
  if (open_ == Open::kReasoning) {
    end_line();
  }
  open_ = Open::kText;
  if (streams_.out_is_terminal) {
    put(wrap_.feed(escape_controls(text), lines_.width()));
  } else {
    put(text);
  }
  if (text.ends_with('\n')) {
    open_ = Open::kNothing;
  }
}

void TurnView::write_reasoning(std::string_view text) {
  if (text.empty() || !lines_.is_interactive()) {
    return;
  }
  if (open_ == Open::kText) {
    end_line();
  }
  const bool is_first = open_ != Open::kReasoning;
  open_ = Open::kReasoning;
  put(wrap_.feed((is_first && !is_lively_ ? "(thinking) " : "") + escape_controls(text),
                 lines_.width()));
}

void TurnView::put(std::string_view text) {
  if (open_ == Open::kReasoning) {
    if (is_lively_ && !text.empty()) {
      streams_.err << kDim << text << kPlain;
    } else {
      streams_.err << text;
    }
    streams_.err.flush();
    return;
  }
  streams_.out << text;
  streams_.out.flush();
  if (!streams_.out && cancel_) {
    cancel_->cancel(CancelReason::kAbandoned);
  }
}

void TurnView::write_note(std::string_view text) {
  end_line();
  if (is_lively_) {
    streams_.err << kYellow << one_line(text) << kPlain << '\n';
  } else {
    streams_.err << one_line(text) << '\n';
  }
  streams_.err.flush();
}

void TurnView::end_line() {
  if (open_ == Open::kNothing) {
    return;
  }
  if (streams_.err_is_terminal && cancel_ && cancel_->reason() == CancelReason::kUser) {
    // Ctrl-C was acknowledged on a line of its own (`Environment::begin_turn`).
    open_ = Open::kNothing;
    (void)wrap_.finish(lines_.width());
    return;
  }
  put(wrap_.finish(lines_.width()) + "\n");
  open_ = Open::kNothing;
}

CardStyle TurnView::card_style() const {
  return {.is_lively = is_lively_, .width = lines_.width()};
}

}  // namespace ingle::cli
