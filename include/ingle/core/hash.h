/// SHA-256 (FIPS 180-4), for identities: files, arguments, policies.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ingle/core/call.h"
#include "ingle/core/result.h"

namespace ingle {

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256_hex(std::string_view bytes);

/// The digest of a file's bytes, read in blocks.
/// Errors: not_found "file_not_found", permission_denied "file_unreadable", unavailable
/// "file_read_failed", and those of `Call::check`, which is asked between blocks.
Result<std::string> sha256_file(const Call& call, const std::filesystem::path& path);

}  // namespace ingle
