/// Sessions as the command finds them in a store.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ingle/agent/agent.h"
#include "ingle/core/clock.h"
#include "ingle/session/event.h"
#include "ingle/session/session_store.h"
#include "ingle/session/state.h"

namespace ingle::cli {

struct StoredSession {
  std::vector<Event> events = {};
  SessionState state = {};
};

/// Errors: those of `SessionStore::read` and `fold`.
Result<StoredSession> read_session(SessionStore& store, const SessionId& session);

/// Makes the session, or leaves it as it is when it is there. Errors: the store's.
Result<void> ensure_session(SessionStore& store, const SessionId& session, const Agent& agent,
                            const Clock& clock);

/// How many replies a model has given since the newest message from outside, failed calls among
/// them: where a script goes on.
[[nodiscard]] std::size_t replies_since_message(std::span<const Event> events);

}  // namespace ingle::cli
