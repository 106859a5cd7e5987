/// What `run` and `resume` share: from settings and a store to an outcome that has been reported.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/agent_parts.h"
#include "cli/report/reporter.h"
#include "ingle/agent/run.h"
#include "ingle/cli/environment.h"
#include "ingle/cli/exit_code.h"
#include "ingle/session/session_store.h"

namespace ingle::cli {

/// A run that only lacks its model. Everything that is cheap to check has been checked.
struct Job {
  AgentParts parts = {};
  std::shared_ptr<SessionStore> store = {};
  RunSubject subject = {};  ///< `before` may be filled in by `begin`.
  RunOptions options = {};  ///< Without control and observer.
  /// Called when there is an agent: makes the session, if it is to be made.
  std::function<Result<void>(const Agent&, Job&)> begin = {};
  /// `ingle::run` or `ingle::resume`.
  std::function<Result<RunReport>(const Call&, const Agent&, const Job&)> advance = {};
};

/// Errors: the store's.
Result<std::shared_ptr<SessionStore>> open_sessions(Environment& environment, const Config& config);

/// Lets a run be watched by `observer`, cancelled by `cancel`, and paused by the environment.
void add_control(RunOptions& options, Environment& environment, const CancelSource& cancel,
                 RunObserver& observer);

/// Loads the model, runs, reports.
ExitCode perform(Job job, Environment& environment, Reporter& reporter);

/// Reports an error that came before all that.
ExitCode refuse(const Error& error, Reporter& reporter);

/// The same for commands that run no agent.
ExitCode fail(const Error& error, const Streams& streams, const Environment& environment);
/// And where a model file is at fault.
ExitCode fail_model(const Error& error, const Streams& streams, const Environment& environment);

}  // namespace ingle::cli
