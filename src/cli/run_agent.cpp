#include <utility>

#include "cli/commands.h"
#include "cli/job.h"
#include "cli/prompt_text.h"
#include "cli/report/next_steps.h"

namespace ingle::cli {
namespace {

/// Makes the session, unless it is there, and reads it.
Result<void> begin(const Agent& agent, Job& job, const Clock& clock) {
  INGLE_RETURN_IF_ERROR(ensure_session(*job.store, job.subject.session, agent, clock));
  INGLE_TRY(job.subject.before, read_session(*job.store, job.subject.session));
  job.subject.is_new = job.subject.before.state.last_seq == 1;
  return {};
}

Result<Job> prepare(const RunArguments& arguments, Streams& streams, Environment& environment) {
  INGLE_TRY(const Configuration configuration, read_configuration(environment, arguments.flags));
  Job job;
  job.subject.is_named = arguments.session.has_value();
  if (arguments.session) {
    INGLE_TRY(job.subject.session, parse_session_id(*arguments.session));
  } else {
    job.subject.session = new_session_id();
  }
  INGLE_TRY(std::string prompt, read_prompt(arguments.prompt, streams));
  INGLE_TRY(job.parts, prepare_agent(environment, configuration.values));
  job.options.until.names = arguments.until_tools;
  INGLE_RETURN_IF_ERROR(check_until(job.options.until, job.parts.tools));
  INGLE_TRY(job.store, open_sessions(environment, configuration.values));
  job.subject.has_tools = !job.parts.tools.empty();
  job.subject.resume_command = resume_command_line(environment.command_name(), job.subject.session,
                                                   arguments.flags.values.data);
  job.begin = [&environment](const Agent& agent, Job& self) {
    return begin(agent, self, environment.clock());
  };
  job.advance = [prompt = std::move(prompt)](const Call& call, const Agent& agent,
                                             const Job& self) {
    return run(call, agent, *self.store, self.subject.session, prompt, self.options);
  };
  return job;
}

}  // namespace

ExitCode run_agent(const RunArguments& arguments, Streams& streams, Environment& environment) {
  const auto reporter = make_reporter(arguments.output, streams, environment);
  auto job = prepare(arguments, streams, environment);
  return job ? perform(*std::move(job), environment, *reporter) : refuse(job.error(), *reporter);
}

}  // namespace ingle::cli
