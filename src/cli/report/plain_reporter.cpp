#include "cli/report/plain_reporter.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "cli/report/next_steps.h"
#include "cli/text/terminal_text.h"

namespace ingle::cli {
namespace {

constexpr std::size_t kMaxNoteBytes = 200;

/// The text that a run has to show for itself.
std::string_view answer(const Outcome& outcome) {
  if (const auto* completed = std::get_if<Completed>(&outcome)) {
    return completed->text;
  }
  if (const auto* tool_result = std::get_if<ToolResultOutcome>(&outcome)) {
    return tool_result->text;
  }
  if (const auto* cancelled = std::get_if<Cancelled>(&outcome)) {
    return cancelled->text;
  }
  return "";
}

std::string shown_arguments(const ToolCall& call) {
  const std::string text = call.arguments_text();
  return text.empty() ? "{}" : text;
}

}  // namespace

PlainReporter::PlainReporter(bool is_quiet, Streams& streams, Notes notes, CancelSource cancel)
    : is_quiet_(is_quiet), streams_(streams), notes_(notes), cancel_(std::move(cancel)) {}

void PlainReporter::on_progress(float loaded) { notes_.progress("loading the model", loaded); }

void PlainReporter::on_begin(const RunSubject& subject) {
  resume_command_ = subject.resume_command;
  is_live_ = streams_.out_is_terminal || !subject.has_tools;
  for (const Message& message : subject.before.state.transcript) {
    remember_calls(message.tool_calls);
  }
  if (!subject.is_named) {
    note("session: " + subject.session.str());
  }
}

void PlainReporter::on_event(const Event& event) {
  if (std::holds_alternative<ModelCalled>(event.body)) {
    reply_text_.clear();
  } else if (const auto* reply = std::get_if<ModelReplied>(&event.body)) {
    on_reply(*reply);
  } else if (const auto* started = std::get_if<ToolStarted>(&event.body)) {
    note("-> " + calls_[started->call_id] +
         (started->attempt > 1 ? fmt::format(" (again: attempt {})", started->attempt) : ""));
  } else if (const auto* finished = std::get_if<ToolFinished>(&event.body)) {
    on_finished(*finished);
  }
}

void PlainReporter::on_delta(const Delta& delta) {
  const auto* text = std::get_if<TextDelta>(&delta);
  if (text == nullptr) {
    return;
  }
  reply_text_ += text->text;
  if (is_live_) {
    write(text->text);
  }
}

void PlainReporter::on_reply(const ModelReplied& reply) {
  has_reply_ = true;
  remember_calls(reply.message.tool_calls);
  const std::string text = reply.message.text();
  if (is_live_) {
    // An engine need not stream: what has not come yet comes now.
    if (std::string_view rest(text); rest.starts_with(reply_text_)) {
      rest.remove_prefix(reply_text_.size());
      write(rest);
    }
    end_line();
  } else if (!text.empty() && !reply.message.tool_calls.empty()) {
    note(short_line(text, kMaxNoteBytes));
  }
  for (const std::string& warning : reply.warnings) {
    if (!is_quiet_) {
      notes_.write(NoteKind::kWarning, "warning: " + warning);
    }
  }
}

void PlainReporter::on_finished(const ToolFinished& finished) {
  if (finished.is_error) {
    note("<- error: " + short_line(finished.text, kMaxNoteBytes));
  } else {
    note(fmt::format("<- {}", size_text(finished.text.size())));
  }
}

void PlainReporter::on_end(const RunReport& report, const SessionState& state) {
  // When it was not written as it came: held back, a tool's result, or logged by a process that
  // died.
  const bool is_written =
      is_live_ && has_reply_ && !std::holds_alternative<ToolResultOutcome>(report.outcome);
  if (!is_written) {
    write(answer(report.outcome));
  }
  end_line();
  if (const std::string text = ending(report.outcome); !text.empty()) {
    if (std::holds_alternative<Completed>(report.outcome)) {
      notes_.write(NoteKind::kWarning, "warning: " + text);
    } else {
      notes_.error(text);
    }
  }
  for (const std::string& line : next_steps(report.outcome, state, resume_command_)) {
    notes_.write(NoteKind::kWarning, line);
  }
}

void PlainReporter::on_error(const Error& error) {
  end_line();
  notes_.error(error);
}

void PlainReporter::remember_calls(const std::vector<ToolCall>& calls) {
  for (const ToolCall& call : calls) {
    calls_[call.id] = call.name + " " + short_line(shown_arguments(call), kMaxNoteBytes);
  }
}

void PlainReporter::note(std::string_view text) {
  if (!is_quiet_) {
    notes_.write(NoteKind::kActivity, text);
  }
}

void PlainReporter::write(std::string_view text) {
  if (text.empty()) {
    return;
  }
  is_line_open_ = !text.ends_with('\n');
  if (streams_.out_is_terminal) {
    streams_.out << escape_controls(text);
  } else {
    streams_.out << text;
  }
  streams_.out.flush();
  if (!streams_.out) {
    cancel_.cancel(CancelReason::kAbandoned);
  }
}

void PlainReporter::end_line() {
  if (is_line_open_) {
    write("\n");
  }
}

}  // namespace ingle::cli
