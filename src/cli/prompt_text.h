/// Where the prompt comes from.
#pragma once

#include <optional>
#include <string>

#include "ingle/cli/cli.h"
#include "ingle/core/result.h"

namespace ingle::cli {

/// The argument; or the whole standard input, without its last line feed, for "-" or for no
/// argument when the input is not a terminal. Errors: invalid_argument "prompt_missing",
/// "prompt_not_utf8", "prompt_too_large".
Result<std::string> read_prompt(const std::optional<std::string>& argument, Streams& streams);

}  // namespace ingle::cli
