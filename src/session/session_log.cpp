#include "ingle/session/session_log.h"

#include <algorithm>
#include <utility>

namespace ingle {

SessionLog::SessionLog(SessionStore& store, SessionId session, const Clock& clock,
                       Listener listener)
    : store_(&store),
      session_(std::move(session)),
      clock_(&clock),
      listener_(std::move(listener)) {}

Result<SessionLog> SessionLog::open(SessionStore& store, const SessionId& session,
                                    const Clock& clock, Listener listener) {
  INGLE_TRY(const std::vector<Event> events, store.read(session, 1));
  SessionLog log(store, session, clock, std::move(listener));
  INGLE_TRY(log.state_, fold(events));
  return log;
}

Result<void> SessionLog::commit(std::vector<EventBody> bodies) {
  if (!state_.unknown_event.empty()) {
    return Error{.code = ErrorCode::kUnsupported,
                 .reason = "session_newer",
                 .message = "session " + session_.str() +
                            " was written by a newer version (event \"" + state_.unknown_event +
                            "\"): read it, or update",
                 .details = {}};
  }
  // Time never runs backwards within a session, whatever the machine's clock does.
  const Timestamp time = std::max(clock_->now(), state_.last_time);
  std::vector<Event> events;
  events.reserve(bodies.size());
  for (EventBody& body : bodies) {
    events.push_back({.seq = state_.last_seq + 1 + static_cast<std::int64_t>(events.size()),
                      .time = time,
                      .body = std::move(body)});
  }
  INGLE_RETURN_IF_ERROR(store_->append(session_, state_.last_seq, events));
  for (const Event& event : events) {
    if (auto applied = apply(state_, event); !applied) {
      return Error{.code = ErrorCode::kInternal,
                   .reason = "event_refused",
                   .message = applied.error().message,
                   .details = applied.error().to_json()};
    }
    if (listener_) {
      listener_(event);
    }
  }
  return {};
}

}  // namespace ingle
