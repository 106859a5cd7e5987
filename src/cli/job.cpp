#include "cli/job.h"

#include <filesystem>
#include <utility>

#include "cli/places.h"
#include "cli/report/notes.h"
#include "cli/session_access.h"

namespace ingle::cli {
namespace {

ExitCode report_end(const Job& job, const RunReport& report, Reporter& reporter) {
  // What a person can do next follows from the log. If that cannot be read now, the outcome still
  // counts.
  auto after = read_session(*job.store, job.subject.session);
  reporter.on_end(report, after ? after->state : SessionState{});
  return exit_code(report.outcome);
}

}  // namespace

Result<std::shared_ptr<SessionStore>> open_sessions(Environment& environment,
                                                    const Config& config) {
  return environment.open_store(data_file(environment, config));
}

void add_control(RunOptions& options, Environment& environment, const CancelSource& cancel,
                 RunObserver& observer) {
  options.cancel = cancel;
  options.should_pause = [&environment] { return environment.pause_requested(); };
  options.observer = &observer;
  options.clock = &environment.clock();
}

ExitCode perform(Job job, Environment& environment, Reporter& reporter) {
  const CancelSource cancel = environment.cancel_source();
  const Call call{.stop = cancel.token(), .deadline = {}};
  auto model = environment.load_model(call, job.parts.model,
                                      [&reporter](float loaded) { reporter.on_progress(loaded); });
  if (!model) {
    reporter.on_error(model.error());
    return model_exit_code(model.error().code);
  }
  auto agent = make_agent(job.parts, *std::move(model));
  if (!agent) {
    return refuse(agent.error(), reporter);
  }
  if (auto begun = job.begin(*agent, job); !begun) {
    return refuse(begun.error(), reporter);
  }
  reporter.on_begin(job.subject);

  job.options.settings = settings_json(job.parts.config);
  add_control(job.options, environment, cancel, reporter);
  const auto report = job.advance(call, *agent, job);
  if (!report) {
    return refuse(report.error(), reporter);
  }
  return report_end(job, *report, reporter);
}

ExitCode refuse(const Error& error, Reporter& reporter) {
  reporter.on_error(error);
  return exit_code(error.code);
}

ExitCode fail(const Error& error, const Streams& streams, const Environment& environment) {
  make_notes(streams, environment).error(error);
  return exit_code(error.code);
}

ExitCode fail_model(const Error& error, const Streams& streams, const Environment& environment) {
  make_notes(streams, environment).error(error);
  return model_exit_code(error.code);
}

}  // namespace ingle::cli
