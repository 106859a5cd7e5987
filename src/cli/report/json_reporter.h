/// A run as JSON lines: docs/formats/events.md, "The stream of the command".
#pragma once

#include "cli/report/notes.h"
#include "cli/report/reporter.h"
#include "ingle/core/call.h"

namespace ingle::cli {

/// Each line is written and flushed as it happens; the last is the outcome, or an error.
class JsonReporter final : public Reporter {
 public:
  JsonReporter(bool is_quiet, Streams& streams, Notes notes, CancelSource cancel);

  void on_progress(float loaded) override;
  void on_begin(const RunSubject& subject) override;
  void on_event(const Event& event) override;
  void on_delta(const Delta& delta) override;
  void on_end(const RunReport& report, const SessionState& state) override;
  void on_error(const Error& error) override;

 private:
  void write(const Json& line);

  const bool is_quiet_;
  std::ostream& out_;
  Notes notes_;
  CancelSource cancel_;
  SessionId session_;
};

/// {"type": "text_delta" | "reasoning_delta" | "tool_call_delta", ...}.
[[nodiscard]] Json to_json(const Delta& delta);

/// {"type": "outcome", "session", "run", "outcome", ..., "usage"}.
[[nodiscard]] Json outcome_line(const SessionId& session, const RunReport& report);

}  // namespace ingle::cli
