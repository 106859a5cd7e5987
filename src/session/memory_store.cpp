#include "ingle/session/memory_store.h"

#include <algorithm>
#include <tuple>

namespace ingle {

Result<void> MemoryStore::create(const SessionId& session) {
  MutexLock lock(mutex_);
  if (!sessions_.try_emplace(session).second) {
    return session_exists_error(session);
  }
  return {};
}

Result<void> MemoryStore::append(const SessionId& session, std::int64_t expected_seq,
                                 std::span<const Event> events) {
  INGLE_RETURN_IF_ERROR(check_append_order(expected_seq, events));
  for (const Event& event : events) {
    // What this store takes, any store takes.
    INGLE_RETURN_IF_ERROR(encode_event(event));
  }
  MutexLock lock(mutex_);
  const auto it = sessions_.find(session);
  if (it == sessions_.end()) {
    return session_not_found_error(session);
  }
  std::vector<Event>& log = it->second;
  const auto actual_seq = static_cast<std::int64_t>(log.size());
  if (actual_seq != expected_seq) {
    return session_conflict_error(session, expected_seq, actual_seq);
  }
  log.insert(log.end(), events.begin(), events.end());
  return {};
}

Result<std::vector<Event>> MemoryStore::read(const SessionId& session, std::int64_t from_seq) {
  MutexLock lock(mutex_);
  const auto it = sessions_.find(session);
  if (it == sessions_.end()) {
    return session_not_found_error(session);
  }
  const std::vector<Event>& log = it->second;
  const auto skipped = std::clamp<std::int64_t>(from_seq - 1, 0, std::ssize(log));
  return std::vector<Event>(log.begin() + skipped, log.end());
}

Result<std::vector<SessionInfo>> MemoryStore::list() {
  std::vector<SessionInfo> out;
  {
    MutexLock lock(mutex_);
    for (const auto& [id, log] : sessions_) {
      SessionInfo& info = out.emplace_back();
      info.id = id;
      info.last_seq = std::ssize(log);
      if (!log.empty()) {
        info.created = log.front().time;
        info.updated = log.back().time;
      }
    }
  }
  std::ranges::sort(out, [](const SessionInfo& a, const SessionInfo& b) {
    return std::tie(a.updated, a.id) > std::tie(b.updated, b.id);
  });
  return out;
}

}  // namespace ingle
