// Format: docs/formats/events.md.
#include "cli/report/json_reporter.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <variant>

namespace ingle::cli {
namespace {

struct DeltaJson {
  json operator()(const TextDelta& delta) const {
    return {{"type", "text_delta"}, {"text", delta.text}};
  }
  json operator()(const ReasoningDelta& delta) const {
    return {{"type", "reasoning_delta"}, {"text", delta.text}};
  }
  json operator()(const ToolCallDelta& delta) const {
    json result{{"type", "tool_call_delta"},
                {"index", delta.index},
                {"raw_arguments", delta.raw_arguments}};
    if (!delta.id.empty()) {
      result["id"] = delta.id.str();
    }
    if (!delta.name.empty()) {
      result["name"] = delta.name;
    }
    return result;
  }
};

}  // namespace

Json to_json(const Delta& delta) { return std::visit(DeltaJson{}, delta); }

Json outcome_line(const SessionId& session, const RunReport& report) {
  json line = *ingle::to_json(report.outcome);
  line["type"] = "outcome";
  line["session"] = session.str();
  line["run"] = report.run.str();
  line["usage"] = {{"prompt_tokens", report.used.usage.prompt_tokens},
                   {"cached_tokens", report.used.usage.cached_tokens},
                   {"completion_tokens", report.used.usage.completion_tokens},
                   {"model_calls", report.used.model_calls},
                   {"tool_calls", report.used.tool_calls}};
  return line;
}

JsonReporter::JsonReporter(bool is_quiet, Streams& streams, Notes notes, CancelSource cancel)
    : is_quiet_(is_quiet), out_(streams.out), notes_(notes), cancel_(std::move(cancel)) {}

void JsonReporter::on_progress(float loaded) { notes_.progress("loading the model", loaded); }

void JsonReporter::on_begin(const RunSubject& subject) {
  session_ = subject.session;
  if (!subject.is_named && !is_quiet_) {
    notes_.write(NoteKind::kActivity, "session: " + session_.str());
  }
  if (subject.is_new) {
    for (const Event& event : subject.before.events) {
      on_event(event);
    }
  }
}

void JsonReporter::on_event(const Event& event) { write(ingle::to_json(event)); }

void JsonReporter::on_delta(const Delta& delta) { write(to_json(delta)); }

void JsonReporter::on_end(const RunReport& report, const SessionState& /*state*/) {
  write(outcome_line(session_, report));
}

void JsonReporter::on_error(const Error& error) {
  notes_.error(error);
  write(json{{"type", "error"}, {"error", error.to_json()}});
}

void JsonReporter::write(const Json& line) {
  out_ << line.dump() << '\n';
  out_.flush();
  if (!out_) {
    cancel_.cancel(CancelReason::kAbandoned);
  }
}

}  // namespace ingle::cli
