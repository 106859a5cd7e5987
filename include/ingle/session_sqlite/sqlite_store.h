/// Sessions in one SQLite file (WAL).
///
/// Schema and version: docs/formats/sqlite.md.
#pragma once

#include <filesystem>
#include <memory>

#include "ingle/session/session_store.h"

namespace ingle {

struct SqliteStoreOptions {
  std::filesystem::path path = {};  ///< The file; made, with its folder, when missing.
};

/// Opens or makes a store. An appended event survives the death of the process and of the machine.
///
/// Errors: unavailable "store_failed" (cannot be made or opened; SQLite's words),
/// failed_precondition "store_version_unsupported" (written by a newer version), data_loss
/// "store_damaged" (not a SQLite file, or damaged).
Result<std::unique_ptr<SessionStore>> open_sqlite_store(const SqliteStoreOptions& options);

}  // namespace ingle
