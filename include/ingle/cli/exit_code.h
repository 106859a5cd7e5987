/// The exit codes of the command, and what has which.
#pragma once

#include <cstdint>

#include "ingle/core/error.h"
#include "ingle/session/outcome.h"

namespace ingle::cli {

enum class ExitCode : std::uint8_t {
  kOk = 0,           ///< Completed, or ended with the tool result that was asked for.
  kFailed = 1,       ///< It could not be done.
  kUsage = 2,        ///< Bad usage or input: correct it.
  kInterrupted = 3,  ///< A person has to decide: `ingle resume` with the answer.
  kPaused = 4,       ///< Stopped at a safe point: `ingle resume` goes on.
  kStopped = 5,      ///< A limit was reached.
  kCancelled = 130,  ///< Somebody stopped it.
};

/// Of a run that ended.
[[nodiscard]] ExitCode exit_code(const Outcome& outcome);

/// Of an error that kept a run from beginning.
[[nodiscard]] ExitCode exit_code(ErrorCode code);

/// Of an error while the model was loaded: the model is input, so whatever is wrong with it is
/// kUsage.
[[nodiscard]] ExitCode model_exit_code(ErrorCode code);

}  // namespace ingle::cli
