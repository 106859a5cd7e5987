/// What a person can do after a run: how it ended in one line, and the commands that go on.
#pragma once

#include <string>
#include <vector>

#include "ingle/agent/run.h"
#include "ingle/session/state.h"

namespace ingle::cli {

/// How the run ended, in a sentence; empty where the answer says it all.
[[nodiscard]] std::string ending(const Outcome& outcome);

/// Lines to print below it. `state` is the session's after the run, `resume_command` the command
/// that goes on with it.
[[nodiscard]] std::vector<std::string> next_steps(const Outcome& outcome, const SessionState& state,
                                                  const std::string& resume_command);

/// "ingle resume ID", with the file of the sessions where it is not the default. `command` is what
/// was called to run this.
[[nodiscard]] std::string resume_command_line(const std::string& command, const SessionId& session,
                                              const std::optional<std::string>& data);

}  // namespace ingle::cli
