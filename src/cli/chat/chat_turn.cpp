// The turns of a chat: from a message, or a turn that was left, to its end.
#include <fmt/format.h>

#include <ostream>
#include <utility>
#include <variant>

#include "cli/chat/chat.h"
#include "cli/chat/chat_question.h"
#include "cli/chat/chat_settings.h"
#include "cli/chat/conversation_text.h"
#include "cli/job.h"
#include "cli/report/next_steps.h"

namespace ingle::cli {

/// A session that is continued: where it stood, and on with what was left.
void Chat::begin_or_go_on() {
  auto before = stored();
  if (!before) {
    notes_.error(before.error());
    leave(exit_code(before.error().code));
    return;
  }
  const SessionState& state = before->state;
  view_.remember_calls(state.transcript);
  if (lines_->is_interactive() && !state.transcript.empty()) {
    streams_.err << (is_lively_ ? "\x1b[2m" : "") << recap(state, card_style())
                 << (is_lively_ ? "\x1b[0m" : "");
  }
  if (can_resume(state)) {
    continue_turn();
  } else if (needs_reply(state)) {
    note("the last turn has no answer: /continue goes on with it");
  }
}

void Chat::say(const std::string& text) {
  if (auto made = ensure_session(*store_, session_, *agent_, environment_.clock()); !made) {
    notes_.error(made.error());
    return;
  }
  is_stored_ = true;
  advance([this, text](const Call& call, const RunOptions& options) {
    return ingle::run(call, *agent_, *store_, session_, text, options);
  });
}

void Chat::continue_turn() {
  const auto now = stored();
  if (!now) {
    notes_.error(now.error());
    return;
  }
  const SessionState& state = now->state;
  if (!can_resume(state) && !needs_reply(state)) {
    notes_.error("there is nothing to go on with: the last turn is over");
    return;
  }
  if (state.interrupts.empty()) {
    note("going on with the last turn");
    advance(resume_with({}));
    return;
  }
  bool is_left = false;
  view_.begin_turn();
  if (auto step = ask_and_resume(is_left)) {
    advance(*std::move(step));
  }
}

Chat::Step Chat::resume_with(std::vector<InterruptAnswer> answers) {
  return [this, answers = std::move(answers)](const Call& call, const RunOptions& options) {
    return ingle::resume(call, *agent_, *store_, session_, answers, options);
  };
}

void Chat::advance(Step step) {
  view_.begin_turn();
  bool is_left = false;
  while (true) {
    auto report = perform(step, false);
    if (!report && report.error().reason == "tool_changed" &&
        ask_yes_or_no(*lines_, notes_,
                      report.error().message + "; go on with tools and rules as they are now?")) {
      report = perform(step, true);
    }
    if (!report) {
      notes_.error(report.error());
      return;
    }
    if (std::holds_alternative<Interrupted>(report->outcome) && !is_left) {
      auto next = ask_and_resume(is_left);
      if (next) {
        step = *std::move(next);
        continue;
      }
    }
    tell_end(*report);
    return;
  }
}

Result<RunReport> Chat::perform(const Step& step, bool accept_changes) {
  const CancelSource cancel = environment_.begin_turn();
  RunOptions options;
  add_control(options, environment_, cancel, view_);
  options.settings = chat_settings(parts_, played_replies());
  options.accept_changes = accept_changes;
  view_.begin_part(cancel);
  auto report = step({.stop = cancel.token(), .deadline = {}}, options);
  view_.end_part();
  environment_.end_turn();
  return report;
}

/// Asks about each open question, and goes on if there is an answer to one of them.
std::optional<Chat::Step> Chat::ask_and_resume(bool& is_left) {
  const auto now = stored();
  if (!now) {
    notes_.error(now.error());
    return std::nullopt;
  }
  std::vector<InterruptAnswer> answers;
  for (const InterruptRaised& question : now->state.interrupts) {
    view_.show_call_again(question.call_id);
    const CallState* call = find_call(now->state, question.call_id);
    Decision decision =
        ask_person(*lines_, notes_, question, call == nullptr ? ToolCall{} : call->call);
    if (decision.answer) {
      answers.push_back(*std::move(decision.answer));
      continue;
    }
    is_left = true;
    if (decision.end == LineEnd::kEnd || decision.end == LineEnd::kTerminated) {
      // At a terminal somebody has seen the question; a script must be told that it is open.
      leave(lines_->is_interactive() ? ExitCode::kOk : ExitCode::kInterrupted);
      break;
    }
    if (decision.end == LineEnd::kInterrupt) {
      break;
    }
  }
  return answers.empty() ? std::nullopt : std::optional(resume_with(std::move(answers)));
}

void Chat::tell_end(const RunReport& report) {
  const Outcome& outcome = report.outcome;
  const auto* cancelled = std::get_if<Cancelled>(&outcome);
  if (std::holds_alternative<Paused>(outcome)) {
    leave(ExitCode::kPaused);
  }
  if (std::holds_alternative<Interrupted>(outcome)) {
    if (!code_) {
      note("it waits: /continue asks again, a message goes on without it");
    }
  } else if (cancelled != nullptr) {
    if (cancelled->reason == CancelReason::kUser) {
      was_interrupted_ = true;
      note("stopped; what was written is kept");
    } else if (cancelled->reason == CancelReason::kAbandoned ||
               cancelled->reason == CancelReason::kShutdown) {
      leave(ExitCode::kCancelled);
    } else {
      notes_.error(ending(outcome));
    }
  } else if (const std::string text = ending(outcome); !text.empty()) {
    if (std::holds_alternative<Completed>(outcome)) {
      notes_.write(NoteKind::kWarning, "warning: " + text);
    } else {
      notes_.error(text + (code_ ? "" : "; /continue goes on"));
    }
  }
  if (lines_->is_interactive() && view_.cost().usage.total() > 0) {
    note(cost_line(view_.cost()));
  }
  if (lines_->is_interactive() && !code_) {
    streams_.err << '\n';
    streams_.err.flush();
  }
}

}  // namespace ingle::cli
