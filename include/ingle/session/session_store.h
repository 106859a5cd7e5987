/// Where sessions live.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ingle/core/clock.h"
#include "ingle/core/ids.h"
#include "ingle/core/result.h"
#include "ingle/session/event.h"

namespace ingle {

/// One line of a listing.
struct SessionInfo {
  SessionId id = {};
  std::int64_t last_seq = 0;  ///< 0: empty.
  Timestamp created{};        ///< Time of the first event; the epoch when there is none.
  Timestamp updated{};        ///< Time of the last event.
  bool operator==(const SessionInfo&) const = default;
};

/// A set of append-only logs. Thread-safe. Every implementation passes
/// tests/conformance/session_store_conformance.h. A store on disk may find itself damaged in any
/// call: data_loss "store_damaged".
class SessionStore {
 public:
  virtual ~SessionStore() = default;

  /// Makes an empty session. Errors: already_exists "session_exists"; unavailable "store_failed".
  virtual Result<void> create(const SessionId& session) = 0;

  /// Appends all of `events`, or none, if the session's last seq is `expected_seq` (0: empty).
  /// Their seq must count on from there. When it returns, they survive the death of this process.
  ///
  /// Errors (nothing was appended): conflict "session_conflict" (another writer was faster;
  /// details: expected_seq, actual_seq); not_found "session_not_found"; invalid_argument
  /// "event_out_of_order", "event_too_large" (see `encode_event`); resource_exhausted "disk_full";
  /// unavailable "store_failed".
  virtual Result<void> append(const SessionId& session, std::int64_t expected_seq,
                              std::span<const Event> events) = 0;

  /// The events from `from_seq` (>= 1) on, in order; none beyond the end.
  /// Errors: not_found "session_not_found"; data_loss "event_invalid" (details: seq); unavailable
  /// "store_failed".
  virtual Result<std::vector<Event>> read(const SessionId& session, std::int64_t from_seq) = 0;

  /// All sessions, by `updated` and then id, both descending. Errors: unavailable "store_failed".
  virtual Result<std::vector<SessionInfo>> list() = 0;
};

/// What every `append` checks first: `events` count on from `expected_seq`.
/// Errors: invalid_argument "event_out_of_order".
Result<void> check_append_order(std::int64_t expected_seq, std::span<const Event> events);

// The errors of the contract, so that all stores use the same words.
[[nodiscard]] Error session_exists_error(const SessionId& session);
[[nodiscard]] Error session_not_found_error(const SessionId& session);
[[nodiscard]] Error session_conflict_error(const SessionId& session, std::int64_t expected_seq,
                                           std::int64_t actual_seq);

}  // namespace ingle
