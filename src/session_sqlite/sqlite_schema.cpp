#include "session_sqlite/sqlite_schema.h"

#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Transaction.h>
#include <sqlite3.h>

#include <iterator>
#include <string>
#include <thread>

namespace ingle::session_sqlite_internal {
namespace {

constexpr int kApplicationId = 0x496E676C;  // "Ingl"

/// Step v leads from version v to version v + 1.
constexpr const char* kMigrations[] = {
    R"(CREATE TABLE sessions (
         id TEXT PRIMARY KEY NOT NULL,
         created INTEGER NOT NULL DEFAULT 0,
         updated INTEGER NOT NULL DEFAULT 0,
         last_seq INTEGER NOT NULL DEFAULT 0
       ) STRICT, WITHOUT ROWID;
       CREATE TABLE events (
         session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
         seq INTEGER NOT NULL,
         time INTEGER NOT NULL,
         type TEXT NOT NULL,
         body TEXT NOT NULL,
         PRIMARY KEY (session, seq)
       ) STRICT, WITHOUT ROWID;)",
};
static_assert(std::size(kMigrations) == kSchemaVersion);

int pragma(SQLite::Database& database, const char* name) {
  return database.execAndGet(std::string("PRAGMA ") + name).getInt();
}

void set_pragma(SQLite::Database& database, const char* name, int value) {
  database.exec("PRAGMA " + std::string(name) + " = " + std::to_string(value));
}

bool is_empty(SQLite::Database& database) {
  return database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
}

/// The store's version, 0 for an empty database. Several reads: they belong into one transaction.
Result<int> read_version(SQLite::Database& database) {
  const int application = pragma(database, "application_id");
  const int version = pragma(database, "user_version");
  if (application != kApplicationId && !(application == 0 && version == 0 && is_empty(database))) {
    return Error{ErrorCode::kFailedPrecondition,
                 "store_version_unsupported",
                 "the file is the database of another program",
                 {}};
  }
  if (version < 0 || version > kSchemaVersion) {
    return Error{ErrorCode::kFailedPrecondition,
                 "store_version_unsupported",
                 "the store has version " + std::to_string(version) + "; this program knows " +
                     std::to_string(kSchemaVersion) + ": use a newer program",
                 {}};
  }
  return version;
}

Result<int> read_version_at_once(SQLite::Database& database) {
  const SQLite::Transaction transaction(database, SQLite::TransactionBehavior::DEFERRED);
  return read_version(database);
}

}  // namespace

Result<void> prepare_schema(SQLite::Database& database) {
  INGLE_TRY(int version, read_version_at_once(database));
  if (version == kSchemaVersion) {
    return {};
  }
  SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
  // Read again: another process may have been faster.
  INGLE_TRY(version, read_version(database));
  for (; version < kSchemaVersion; ++version) {
    database.exec(kMigrations[version]);
  }
  set_pragma(database, "application_id", kApplicationId);
  set_pragma(database, "user_version", kSchemaVersion);
  transaction.commit();
  return {};
}

void use_wal(SQLite::Database& database, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds kPause{5};
  const auto end = std::chrono::steady_clock::now() + patience;
  for (;;) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (const SQLite::Exception& exception) {
      if (exception.getErrorCode() != SQLITE_BUSY || std::chrono::steady_clock::now() >= end) {
        throw;
      }
    }
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace ingle::session_sqlite_internal
