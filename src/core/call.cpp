#include "ingle/core/call.h"

#include <atomic>

namespace ingle {

Result<void> Call::check() const {
  if (stop.stop_requested()) {
    return Error{ErrorCode::kCancelled, "cancelled", "the call was cancelled", {}};
  }
  if (deadline.has_passed()) {
    return Error{ErrorCode::kDeadlineExceeded,
                 "deadline_exceeded",
                 "the call ran out of time; allow it more or ask for less",
                 {}};
  }
  return {};
}

std::string_view to_string(CancelReason reason) {
  switch (reason) {
    case CancelReason::kNone:
      return "none";
    case CancelReason::kUser:
      return "user";
    case CancelReason::kDeadline:
      return "deadline";
    case CancelReason::kSuperseded:
      return "superseded";
    case CancelReason::kAbandoned:
      return "abandoned";
    case CancelReason::kShutdown:
      return "shutdown";
  }
  return "none";
}

struct CancelSource::State {
  std::stop_source source;
  std::atomic<CancelReason> reason = CancelReason::kNone;
};

CancelSource::CancelSource() : state_(std::make_shared<State>()) {}

bool CancelSource::cancel(CancelReason reason) {
  INGLE_CHECK(reason != CancelReason::kNone, "a cancellation has a reason");
  CancelReason expected = CancelReason::kNone;
  if (!state_->reason.compare_exchange_strong(expected, reason)) {
    return false;
  }
  // Only now: whoever sees the stop also sees the reason.
  state_->source.request_stop();
  return true;
}

CancelReason CancelSource::reason() const { return state_->reason.load(); }

std::stop_token CancelSource::token() const { return state_->source.get_token(); }

}  // namespace ingle
