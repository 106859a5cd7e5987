/// Schema and version: docs/formats/sqlite.md.
#pragma once

#include <SQLiteCpp/Database.h>

#include <chrono>

#include "ingle/core/result.h"

namespace ingle::session_sqlite_internal {

inline constexpr int kSchemaVersion = 1;

/// Makes an empty database a store, or brings a store of an older version up to date.
/// Throws SQLite::Exception. Errors: failed_precondition "store_version_unsupported".
Result<void> prepare_schema(SQLite::Database& database);

/// Switches the file to WAL mode, if it is not. While another connection has the file open in the
/// old mode SQLite refuses this at once, whatever its busy time-out: tried again for `patience`.
/// Throws SQLite::Exception.
void use_wal(SQLite::Database& database, std::chrono::milliseconds patience);

}  // namespace ingle::session_sqlite_internal
