#include "ingle/testing/faulty_store.h"

#include <utility>

namespace ingle::testing {

void FaultyStore::plan(StoreFault fault) {
  const MutexLock lock(mutex_);
  fault_ = std::move(fault);
  broken_.reset();
}

void FaultyStore::heal() {
  const MutexLock lock(mutex_);
  fault_.reset();
  broken_.reset();
}

std::int64_t FaultyStore::appends() const {
  const MutexLock lock(mutex_);
  return appends_;
}

Result<void> FaultyStore::check_alive() const {
  const MutexLock lock(mutex_);
  if (broken_) {
    return *broken_;
  }
  return {};
}

Result<void> FaultyStore::create(const SessionId& session) {
  INGLE_RETURN_IF_ERROR(check_alive());
  return inner_.create(session);
}

Result<void> FaultyStore::append(const SessionId& session, std::int64_t expected_seq,
                                 std::span<const Event> events) {
  std::optional<StoreFault> fault;
  {
    const MutexLock lock(mutex_);
    ++appends_;
    if (broken_) {
      return *broken_;
    }
    if (fault_ && --fault_->append <= 0) {
      fault = std::move(fault_);
      fault_.reset();
      if (fault->is_lasting) {
        broken_ = fault->error;
      }
    }
  }
  if (!fault) {
    return inner_.append(session, expected_seq, events);
  }
  if (fault->is_stored) {
    INGLE_RETURN_IF_ERROR(inner_.append(session, expected_seq, events));
  }
  return fault->error;
}

Result<std::vector<Event>> FaultyStore::read(const SessionId& session, std::int64_t from_seq) {
  INGLE_RETURN_IF_ERROR(check_alive());
  return inner_.read(session, from_seq);
}

Result<std::vector<SessionInfo>> FaultyStore::list() {
  INGLE_RETURN_IF_ERROR(check_alive());
  return inner_.list();
}

}  // namespace ingle::testing
