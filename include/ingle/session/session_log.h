/// One session, opened for writing: its state, and the one way to change it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "ingle/core/clock.h"
#include "ingle/core/ids.h"
#include "ingle/core/result.h"
#include "ingle/session/event.h"
#include "ingle/session/session_store.h"
#include "ingle/session/state.h"

namespace ingle {

/// Checks, appends to the store, then applies: what is in `state()` is in the store, and nothing
/// else is. Not thread-safe; at most one writer per session succeeds (`SessionStore::append` sees
/// to it).
class SessionLog {
 public:
  using Listener = std::function<void(const Event&)>;

  /// Reads and folds the session. `listener` is told of each event that is committed from now on,
  /// on the committing thread, after its whole group was stored and applied. It must not throw.
  ///
  /// Errors: those of `SessionStore::read` and `fold`. `store` and `clock` must outlive the log.
  static Result<SessionLog> open(SessionStore& store, const SessionId& session, const Clock& clock,
                                 Listener listener);

  /// Stores all of `bodies` or none, as one group. What is applied is what will be read back:
  /// bytes that are not UTF-8 become U+FFFD, numbers that are not finite become null.
  ///
  /// Errors (nothing was stored, the log goes on as before): those of `SessionStore::append`;
  /// invalid_argument "event_too_large"; unsupported "session_newer" (the session has events that
  /// this version does not know: it can be read, not advanced); internal "event_refused" (a bug of
  /// the caller: the event does not fit the state that those before it leave, or could not be read
  /// back; details: the error that whoever reads it would get).
  Result<void> commit(std::vector<EventBody> bodies);

  [[nodiscard]] const SessionState& state() const { return state_; }
  [[nodiscard]] const SessionId& session() const { return session_; }

 private:
  SessionLog(SessionStore& store, SessionId session, const Clock& clock, Listener listener);

  SessionStore* store_;
  SessionId session_;
  const Clock* clock_;
  Listener listener_;
  SessionState state_;
};

}  // namespace ingle
