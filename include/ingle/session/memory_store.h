/// A store that forgets everything when it dies. For tests, and for programs that keep nothing.
#pragma once

#include <map>
#include <string>

#include "ingle/core/sync.h"
#include "ingle/session/session_store.h"

namespace ingle {

class MemoryStore final : public SessionStore {
 public:
  Result<void> create(const SessionId& session) override;
  Result<void> append(const SessionId& session, std::int64_t expected_seq,
                      std::span<const Event> events) override;
  Result<std::vector<Event>> read(const SessionId& session, std::int64_t from_seq) override;
  Result<std::vector<SessionInfo>> list() override;

 private:
  Mutex mutex_;
  std::map<SessionId, std::vector<Event>> sessions_ INGLE_GUARDED_BY(mutex_);
};

}  // namespace ingle
