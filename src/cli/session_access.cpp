#include "cli/session_access.h"

#include <utility>
#include <variant>

#include "ingle/agent/run.h"
#include "ingle/session/session_log.h"

namespace ingle::cli {
namespace {

/// The run failed because the model did, and not for want of a reply: it has used one.
bool has_used_reply(const RunEnded& ended) {
  const auto* failed = std::get_if<Failed>(&ended.outcome);
  return failed != nullptr && failed->error.reason != "script_exhausted";
}

}  // namespace

Result<StoredSession> read_session(SessionStore& store, const SessionId& session) {
  StoredSession stored;
  INGLE_TRY(stored.events, store.read(session, 1));
  INGLE_TRY(stored.state, fold(stored.events));
  return stored;
}

Result<void> ensure_session(SessionStore& store, const SessionId& session, const Agent& agent,
                            const Clock& clock) {
  auto created = create_session(store, session, agent, clock);
  if (created || created.error().code != ErrorCode::kAlreadyExists) {
    return created;
  }
  INGLE_TRY(SessionLog log, SessionLog::open(store, session, clock, {}));
  if (log.state().last_seq > 0) {
    return {};
  }
  // Whoever made it died before the first event.
  return log.commit({SessionStarted{.agent = agent.options().name}});
}

std::size_t replies_since_message(std::span<const Event> events) {
  std::size_t replies = 0;
  bool is_called = false;
  for (const Event& event : events) {
    if (std::holds_alternative<MessageAdded>(event.body)) {
      replies = 0;
    } else if (std::holds_alternative<ModelReplied>(event.body)) {
      ++replies;
    } else if (const auto* ended = std::get_if<RunEnded>(&event.body)) {
      replies += is_called && has_used_reply(*ended) ? std::size_t{1} : 0;
    }
    is_called = std::holds_alternative<ModelCalled>(event.body);
  }
  return replies;
}

}  // namespace ingle::cli
