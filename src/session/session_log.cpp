#include "ingle/session/session_log.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "ingle/core/check.h"

namespace ingle {
namespace {

/// Nothing was stored; `cause` says what is wrong with the event.
Error refused(const Error& cause) {
  return {.code = ErrorCode::kInternal,
          .reason = "event_refused",
          .message = cause.message,
          .details = cause.to_json()};
}

/// The event as whoever reads the log gets it. What text cannot hold - bytes that are not UTF-8,
/// infinite numbers - is replaced before the event is applied and not only in the store, so that
/// replay cannot differ from the live run; and what could not be read back is not stored.
Result<Event> as_read_back(const Event& event) {
  if (std::holds_alternative<UnknownEvent>(event.body)) {
    return refused({.code = ErrorCode::kInvalidArgument,
                    .reason = "event_invalid",
                    .message = "an event of an unknown type is only read",
                    .details = {}});
  }
  INGLE_TRY(const std::string text, encode_event(event));
  auto read = decode_event(text);
  if (!read) {
    return refused(read.error());
  }
  return read;
}

}  // namespace

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
    INGLE_TRY(Event event,
              as_read_back({.seq = state_.last_seq + 1 + static_cast<std::int64_t>(events.size()),
                            .time = time,
                            .body = std::move(body)}));
    events.push_back(std::move(event));
  }
  if (auto fits = check_events(state_, events); !fits) {
    return refused(fits.error());
  }
  INGLE_RETURN_IF_ERROR(store_->append(session_, state_.last_seq, events));
  for (const Event& event : events) {
    const auto applied = apply(state_, event);
    INGLE_CHECK(applied.ok(), "an event that fitted is applied");
  }
  // Only now: whatever a listener does, the state is what the store has.
  if (listener_) {
    for (const Event& event : events) {
      listener_(event);
    }
  }
  return {};
}

}  // namespace ingle
