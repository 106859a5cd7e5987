#include <utility>

#include "cli/chat/chat_settings.h"
#include "cli/commands.h"
#include "cli/job.h"
#include "cli/report/next_steps.h"

namespace ingle::cli {
namespace {

/// Says so before a model is loaded for nothing.
Result<void> check_resumable(const StoredSession& stored, const SessionId& session) {
  if (!can_resume(stored.state) && !needs_reply(stored.state)) {
    return Error{ErrorCode::kFailedPrecondition,
                 "nothing_to_resume",
                 "session " + session.str() + " has nothing to go on with: its last run is over",
                 {}};
  }
  return {};
}

Result<Job> prepare(const ResumeArguments& arguments, Environment& environment) {
  Job job;
  job.subject.is_named = true;
  INGLE_TRY(job.subject.session, parse_session_id(arguments.session));
  INGLE_TRY(const Configuration configuration, read_configuration(environment, arguments.flags));
  INGLE_TRY(job.store, open_sessions(environment, configuration.values));
  INGLE_TRY(StoredSession stored, read_session(*job.store, job.subject.session));
  INGLE_RETURN_IF_ERROR(check_resumable(stored, job.subject.session));

  const Json logged = stored.state.run ? stored.state.run->started.settings : Json();
  INGLE_TRY(Config config, session_config(logged, configuration, arguments.flags));
  INGLE_TRY(job.parts, prepare_agent(environment, std::move(config)));
  job.parts.model.skip_replies = replies_since_message(stored.events) + replies_before_run(logged);

  job.subject.before = std::move(stored);
  job.subject.has_tools = !job.parts.tools.empty();
  job.subject.resume_command = resume_command_line(environment.command_name(), job.subject.session,
                                                   arguments.flags.values.data);
  job.options.accept_changes = arguments.accept_changes;
  job.begin = [](const Agent&, Job&) { return Result<void>(); };
  job.advance = [answers = arguments.answers](const Call& call, const Agent& agent,
                                              const Job& self) {
    return resume(call, agent, *self.store, self.subject.session, answers, self.options);
  };
  return job;
}

}  // namespace

ExitCode resume_agent(const ResumeArguments& arguments, Streams& streams,
                      Environment& environment) {
  const auto reporter = make_reporter(arguments.output, streams, environment);
  auto job = prepare(arguments, environment);
  return job ? perform(*std::move(job), environment, *reporter) : refuse(job.error(), *reporter);
}

}  // namespace ingle::cli
