#include "ingle/cli/exit_code.h"

#include <variant>

namespace ingle::cli {
namespace {

// One overload per outcome: a new one does not compile until it has an exit code.
struct OutcomeExitCode {
  ExitCode operator()(const Completed& /*outcome*/) const { return ExitCode::kOk; }
  ExitCode operator()(const ToolResultOutcome& /*outcome*/) const { return ExitCode::kOk; }
  ExitCode operator()(const Interrupted& /*outcome*/) const { return ExitCode::kInterrupted; }
  ExitCode operator()(const Paused& /*outcome*/) const { return ExitCode::kPaused; }
  ExitCode operator()(const Stopped& /*outcome*/) const { return ExitCode::kStopped; }
  ExitCode operator()(const Cancelled& /*outcome*/) const { return ExitCode::kCancelled; }
  ExitCode operator()(const Failed& /*outcome*/) const { return ExitCode::kFailed; }
};

}  // namespace

ExitCode exit_code(const Outcome& outcome) { return std::visit(OutcomeExitCode{}, outcome); }

ExitCode exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::kCancelled:
    case ErrorCode::kDeadlineExceeded:
      return ExitCode::kCancelled;
    case ErrorCode::kInvalidArgument:
    case ErrorCode::kNotFound:
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kPermissionDenied:
    case ErrorCode::kFailedPrecondition:
    case ErrorCode::kUnsupported:
      return ExitCode::kUsage;
    case ErrorCode::kConflict:
    case ErrorCode::kResourceExhausted:
    case ErrorCode::kUnavailable:
    case ErrorCode::kDataLoss:
    case ErrorCode::kInternal:
      return ExitCode::kFailed;
  }
  return ExitCode::kFailed;
}

ExitCode model_exit_code(ErrorCode code) {
  return exit_code(code) == ExitCode::kCancelled ? ExitCode::kCancelled : ExitCode::kUsage;
}

}  // namespace ingle::cli
