#include "ingle/session/session_store.h"

#include <nlohmann/json.hpp>
#include <string>

namespace ingle {

Result<void> check_append_order(std::int64_t expected_seq, std::span<const Event> events) {
  std::int64_t seq = expected_seq;
  for (const Event& event : events) {
    if (event.seq != ++seq) {
      return Error{
          ErrorCode::kInvalidArgument, "event_out_of_order",
          "event " + std::to_string(event.seq) + " where " + std::to_string(seq) + " was expected",
          json{{"seq", event.seq}, {"expected_seq", seq}}};
    }
  }
  return {};
}

Error session_exists_error(const SessionId& session) {
  return {ErrorCode::kAlreadyExists,
          "session_exists",
          "there is already a session " + session.str(),
          {}};
}

Error session_not_found_error(const SessionId& session) {
  return {ErrorCode::kNotFound, "session_not_found", "there is no session " + session.str(), {}};
}

Error session_conflict_error(const SessionId& session, std::int64_t expected_seq,
                             std::int64_t actual_seq) {
  return {ErrorCode::kConflict, "session_conflict",
          "the session " + session.str() + " has " + std::to_string(actual_seq) +
              " events and not " + std::to_string(expected_seq) +
              ": someone else has written to it",
          json{{"expected_seq", expected_seq}, {"actual_seq", actual_seq}}};
}

}  // namespace ingle
