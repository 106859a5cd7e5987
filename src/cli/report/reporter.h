/// How a run is shown: as text for people, or as JSON lines for programs.
#pragma once

#include <memory>

#include "cli/options/options.h"
#include "cli/session_access.h"
#include "ingle/agent/run.h"
#include "ingle/cli/cli.h"
#include "ingle/core/error.h"
#include "ingle/session/state.h"

namespace ingle::cli {

/// What a run is about, told before it begins.
struct RunSubject {
  SessionId session = {};
  StoredSession before = {};  ///< The session before the run.
  bool is_new = false;    ///< This command made the session; the person does not know its events,
  bool is_named = false;  ///< nor its id, unless they gave it.
  bool has_tools = false;
  std::string resume_command = {};  ///< A command line that goes on with the session.
};

/// Used in the order of its members: progress, begin, events and deltas, then end; or an error
/// instead.
class Reporter : public RunObserver {
 public:
  virtual void on_progress(float loaded) = 0;
  virtual void on_begin(const RunSubject& subject) = 0;
  /// `state` is the session's after the run.
  virtual void on_end(const RunReport& report, const SessionState& state) = 0;
  /// No run began, or nothing is known of how it ended.
  virtual void on_error(const Error& error) = 0;
};

/// When `streams.out` cannot be written any more, the environment's cancel source is cancelled as
/// abandoned.
[[nodiscard]] std::unique_ptr<Reporter> make_reporter(const OutputFlags& flags, Streams& streams,
                                                      const Environment& environment);

}  // namespace ingle::cli
