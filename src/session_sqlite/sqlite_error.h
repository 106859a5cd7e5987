/// SQLite's failures in our words.
#pragma once

#include "ingle/core/error.h"

namespace ingle::session_sqlite_internal {

/// The error for the exception that is being handled; only inside a `catch`.
///
/// resource_exhausted "disk_full"; data_loss "store_damaged"; unavailable "store_failed" (details:
/// sqlite_code) for anything else of SQLite's; internal "store_failed" for other exceptions.
[[nodiscard]] Error current_store_error();

}  // namespace ingle::session_sqlite_internal
