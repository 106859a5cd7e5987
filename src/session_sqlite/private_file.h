/// Files that only their owner may read.
#pragma once

#include <filesystem>

#include "ingle/core/result.h"

namespace ingle::session_sqlite_internal {

/// Makes `path` as an empty file (mode 0600) and its missing folders (0700), so that they outlive
/// the death of the machine. What exists stays as it is, its mode too. Errors: unavailable
/// "store_failed".
Result<void> make_private_file(const std::filesystem::path& path);

}  // namespace ingle::session_sqlite_internal
