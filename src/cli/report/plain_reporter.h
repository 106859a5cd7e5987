/// A run as text: the answer on standard output, notes on standard error.
#pragma once

#include <map>
#include <string>

#include "cli/report/notes.h"
#include "cli/report/reporter.h"
#include "ingle/core/call.h"

namespace ingle::cli {

/// Standard output gets the answer, exactly, and a line feed where it does not end with one. It is
/// written as it comes where that is certain to be the answer (no tools) or a person is looking (a
/// terminal). Elsewhere it is written when it is complete: a text before a tool call is no answer.
class PlainReporter final : public Reporter {
 public:
  PlainReporter(bool is_quiet, Streams& streams, Notes notes, CancelSource cancel);

  void on_progress(float loaded) override;
  void on_begin(const RunSubject& subject) override;
  void on_event(const Event& event) override;
  void on_delta(const Delta& delta) override;
  void on_end(const RunReport& report, const SessionState& state) override;
  void on_error(const Error& error) override;

 private:
  void on_reply(const ModelReplied& reply);
  void on_finished(const ToolFinished& finished);
  void remember_calls(const std::vector<ToolCall>& calls);
  void note(std::string_view text);
  void write(std::string_view text);
  void end_line();

  const bool is_quiet_;
  Streams& streams_;
  Notes notes_;
  CancelSource cancel_;
  std::string resume_command_;
  std::map<CallId, std::string> calls_;  ///< What each call looks like.
  bool is_live_ = false;                 ///< Text is written as it comes.
  bool has_reply_ = false;               ///< A reply came in this run.
  std::string reply_text_;               ///< What came of the present reply.
  bool is_line_open_ = false;            ///< The output does not end with a line feed.
};

}  // namespace ingle::cli
