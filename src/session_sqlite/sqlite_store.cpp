#include "ingle/session_sqlite/sqlite_store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "ingle/core/sync.h"
#include "session_sqlite/private_file.h"
#include "session_sqlite/sqlite_error.h"
#include "session_sqlite/sqlite_schema.h"

namespace ingle {
namespace {

using session_sqlite_internal::current_store_error;

constexpr int kBusyTimeoutMs = 5000;

std::int64_t to_milliseconds(Timestamp time) { return time.time_since_epoch().count(); }
Timestamp from_milliseconds(std::int64_t count) {
  return Timestamp(std::chrono::milliseconds(count));
}

Error damaged_event(std::int64_t seq, Error error) {
  error.details = json{{"seq", seq}};
  return error;
}

/// One row of `events`.
struct Row {
  std::int64_t seq = 0;
  std::string body;
};

/// Decodes rows that must count on from `first_seq` to `last_seq`.
Result<std::vector<Event>> decode_rows(const std::vector<Row>& rows, std::int64_t first_seq,
                                       std::int64_t last_seq) {
  const auto misplaced = [](std::int64_t seq) {
    return damaged_event(seq, {ErrorCode::kDataLoss,
                               "event_invalid",
                               "event " + std::to_string(seq) + " is missing or misplaced",
                               {}});
  };
  std::vector<Event> events;
  events.reserve(rows.size());
  std::int64_t seq = first_seq;
  for (const Row& row : rows) {
    auto event = decode_event(row.body);
    if (!event) {
      return damaged_event(row.seq, event.error());
    }
    if (row.seq != seq || event->seq != seq) {
      return misplaced(seq);
    }
    events.push_back(std::move(*event));
    ++seq;
  }
  if (seq <= last_seq) {
    return misplaced(seq);
  }
  return events;
}

/// One connection, used by one thread at a time. No statement outlives the call that made it:
/// SQLiteCpp aborts when a statement outlives its database, and one that is not reset would pin the
/// WAL.
class SqliteStore final : public SessionStore {
 public:
  explicit SqliteStore(SQLite::Database database) : database_(std::move(database)) {}

  Result<void> create(const SessionId& session) override {
    MutexLock lock(mutex_);
    try {
      SQLite::Statement insert(database_,
                               "INSERT INTO sessions (id) VALUES (?) ON CONFLICT DO NOTHING");
      insert.bind(1, session.str());
      if (insert.exec() == 0) {
        return session_exists_error(session);
      }
      return {};
    } catch (...) {
      return current_store_error();
    }
  }

  Result<void> append(const SessionId& session, std::int64_t expected_seq,
                      std::span<const Event> events) override {
    INGLE_RETURN_IF_ERROR(check_append_order(expected_seq, events));
    std::vector<std::string> bodies;
    bodies.reserve(events.size());
    for (const Event& event : events) {
      INGLE_TRY(std::string body, encode_event(event));
      bodies.push_back(std::move(body));
    }
    MutexLock lock(mutex_);
    try {
      return append_encoded(session, expected_seq, events, bodies);
    } catch (...) {
      return current_store_error();
    }
  }

  Result<std::vector<Event>> read(const SessionId& session, std::int64_t from_seq) override {
    from_seq = std::max<std::int64_t>(from_seq, 1);
    std::vector<Row> rows;
    std::optional<std::int64_t> last_seq;
    {
      MutexLock lock(mutex_);
      try {
        // Both selects see the same state.
        const SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::DEFERRED);
        last_seq = find_last_seq(session);
        rows = select_rows(session, from_seq);
      } catch (...) {
        return current_store_error();
      }
    }
    if (!last_seq) {
      return session_not_found_error(session);
    }
    return decode_rows(rows, from_seq, *last_seq);
  }

  Result<std::vector<SessionInfo>> list() override {
    MutexLock lock(mutex_);
    try {
      std::vector<SessionInfo> out;
      SQLite::Statement select(database_,
                               "SELECT id, last_seq, created, updated FROM sessions "
                               "ORDER BY updated DESC, id DESC");
      while (select.executeStep()) {
        out.push_back({SessionId(select.getColumn(0).getString()), select.getColumn(1).getInt64(),
                       from_milliseconds(select.getColumn(2).getInt64()),
                       from_milliseconds(select.getColumn(3).getInt64())});
      }
      return out;
    } catch (...) {
      return current_store_error();
    }
  }

 private:
  Result<void> append_encoded(const SessionId& session, std::int64_t expected_seq,
                              std::span<const Event> events, const std::vector<std::string>& bodies)
      INGLE_REQUIRES(mutex_) {
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    const auto last_seq = find_last_seq(session);
    if (!last_seq) {
      return session_not_found_error(session);
    }
    if (*last_seq != expected_seq) {
      return session_conflict_error(session, expected_seq, *last_seq);
    }
    if (events.empty()) {
      return {};
    }
    SQLite::Statement insert(
        database_, "INSERT INTO events (session, seq, time, type, body) VALUES (?, ?, ?, ?, ?)");
    insert.bind(1, session.str());
    for (std::size_t i = 0; i < events.size(); ++i) {
      insert.bind(2, events[i].seq);
      insert.bind(3, to_milliseconds(events[i].time));
      insert.bind(4, std::string(event_type(events[i].body)));
      insert.bind(5, bodies[i]);
      insert.exec();
      insert.reset();
    }
    SQLite::Statement update(
        database_,
        "UPDATE sessions SET last_seq = ?2, updated = ?3, "
        "created = CASE last_seq WHEN 0 THEN ?4 ELSE created END WHERE id = ?1");
    update.bind(1, session.str());
    update.bind(2, events.back().seq);
    update.bind(3, to_milliseconds(events.back().time));
    update.bind(4, to_milliseconds(events.front().time));
    update.exec();
    transaction.commit();
    return {};
  }

  std::optional<std::int64_t> find_last_seq(const SessionId& session) INGLE_REQUIRES(mutex_) {
    SQLite::Statement select(database_, "SELECT last_seq FROM sessions WHERE id = ?");
    select.bind(1, session.str());
    if (!select.executeStep()) {
      return std::nullopt;
    }
    return select.getColumn(0).getInt64();
  }

  std::vector<Row> select_rows(const SessionId& session, std::int64_t from_seq)
      INGLE_REQUIRES(mutex_) {
    std::vector<Row> rows;
    SQLite::Statement select(
        database_, "SELECT seq, body FROM events WHERE session = ? AND seq >= ? ORDER BY seq");
    select.bind(1, session.str());
    select.bind(2, from_seq);
    while (select.executeStep()) {
      rows.push_back({select.getColumn(0).getInt64(), select.getColumn(1).getString()});
    }
    return rows;
  }

  Mutex mutex_;
  SQLite::Database database_ INGLE_GUARDED_BY(mutex_);
};

Result<std::unique_ptr<SessionStore>> open_database(const std::filesystem::path& path) {
  try {
    SQLite::Database database(path.string(), SQLite::OPEN_READWRITE, kBusyTimeoutMs);
    database.exec("PRAGMA foreign_keys = ON");
    database.exec("PRAGMA synchronous = FULL");
    INGLE_RETURN_IF_ERROR(session_sqlite_internal::prepare_schema(database));
    // Only now, since it changes the file: up to here it may have been another program's.
    session_sqlite_internal::use_wal(database, std::chrono::milliseconds(kBusyTimeoutMs));
    return std::unique_ptr<SessionStore>(std::make_unique<SqliteStore>(std::move(database)));
  } catch (...) {
    return current_store_error();
  }
}

}  // namespace

Result<std::unique_ptr<SessionStore>> open_sqlite_store(const SqliteStoreOptions& options) {
  if (options.path.empty()) {
    return Error{ErrorCode::kUnavailable, "store_failed", "the store's path is empty", {}};
  }
  // Absolute, so that no name has a meaning of its own for SQLite, as ":memory:" does.
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(options.path, error);
  if (error) {
    return Error{ErrorCode::kUnavailable, "store_failed", error.message(), {}};
  }
  INGLE_RETURN_IF_ERROR(session_sqlite_internal::make_private_file(path));
  auto store = open_database(path);
  if (!store) {
    return store.error().context("opening the store " + path.string());
  }
  return store;
}

}  // namespace ingle
