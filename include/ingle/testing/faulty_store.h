/// A session store that fails when the test says so.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ingle/core/error.h"
#include "ingle/core/sync.h"
#include "ingle/session/session_store.h"

namespace ingle::testing {

/// Which append fails, and how.
struct StoreFault {
  std::int64_t append = 1;  ///< 1: the next one. Earlier ones succeed.
  bool is_stored = false;   ///< The events are stored all the same: only the answer is lost.
  /// Everything after it fails too, unstored: as if the process had died.
  bool is_lasting = false;
  Error error{ErrorCode::kUnavailable, "store_failed", "the store failed as planned", {}};
};

/// Passes everything on to another store and can be told to fail. Thread-safe if that one is.
class FaultyStore final : public SessionStore {
 public:
  /// `inner` is borrowed and must live longer.
  explicit FaultyStore(SessionStore& inner) : inner_(inner) {}

  /// Replaces an earlier plan, and heals a store whose fault was lasting.
  void plan(StoreFault fault);
  void heal();

  /// Appends that were asked for, failed ones included.
  [[nodiscard]] std::int64_t appends() const;

  Result<void> create(const SessionId& session) override;
  Result<void> append(const SessionId& session, std::int64_t expected_seq,
                      std::span<const Event> events) override;
  Result<std::vector<Event>> read(const SessionId& session, std::int64_t from_seq) override;
  Result<std::vector<SessionInfo>> list() override;

 private:
  /// The error of a store that is broken for good.
  [[nodiscard]] Result<void> check_alive() const;

  SessionStore& inner_;
  mutable Mutex mutex_;
  std::optional<StoreFault> fault_ INGLE_GUARDED_BY(mutex_);  ///< Its `append` counts down.
  std::optional<Error> broken_ INGLE_GUARDED_BY(mutex_);
  std::int64_t appends_ INGLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace ingle::testing
