/// Schema and version: docs/formats/sqlite.md.
#pragma once

#include <SQLiteCpp/Database.h>

#include "ingle/core/result.h"

namespace ingle::session_sqlite_internal {

inline constexpr int kSchemaVersion = 1;

/// Makes an empty database a store, or brings a store of an older version up to date.
/// Throws SQLite::Exception. Errors: failed_precondition "store_version_unsupported".
Result<void> prepare_schema(SQLite::Database& database);

}  // namespace ingle::session_sqlite_internal
