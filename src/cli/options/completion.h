/// What a shell offers when a person presses Tab: commands and options out of the one description
/// of them, and what they name: models, tools, sessions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ingle/cli/environment.h"

namespace ingle::cli {

/// Hidden: the scripts of `ingle completion` call it.
inline constexpr const char* kCompleteCommand = "complete";

/// Candidates that a shell knows better.
inline constexpr const char* kFiles = ":files";
inline constexpr const char* kFolders = ":folders";

/// What may stand in place of the last of `words`, which are those behind `ingle`; the last may be
/// empty. Nothing is made, nothing is loaded, and what cannot be read offers nothing.
[[nodiscard]] std::vector<std::string> completions(std::span<const std::string> words,
                                                   Environment& environment);

}  // namespace ingle::cli
