/// Runs a command on a file that may crash whoever loads it.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "ingle/core/call.h"
#include "ingle/core/result.h"

namespace ingle {

/// Starts `command` with `path` appended, in a process group of its own and without input, and
/// waits until it ends, at most `limit`. It is killed when the call stops or the time is up.
///
/// Errors: internal "model_probe_failed" (it could not start, failed, crashed or took too long;
/// with the last lines that it wrote to stderr; details: exit_code or signal); cancelled,
/// deadline_exceeded.
Result<void> run_probe(const Call& call, const std::vector<std::string>& command,
                       const std::filesystem::path& path, std::chrono::milliseconds limit);

}  // namespace ingle
