/// All sources of values, one over the other: ingle.toml of the user, of the project, environment,
/// flags.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/config/config.h"
#include "ingle/cli/environment.h"
#include "ingle/core/result.h"

namespace ingle::cli {

/// What every command that looks at a configuration takes.
struct Flags {
  Config values = {};
  /// --config: in place of the files that are looked for; "none" for no file at all.
  std::optional<std::string> file = {};
};

/// Where a file of values was looked for.
struct ConfigSource {
  std::string role = {};  ///< "project", "user" or "given".
  std::filesystem::path file = {};
  bool is_there = false;
};

/// What holds for a command.
struct Configuration {
  Config values = {};
  /// For each key that somebody set, who did, the strongest last: "~/.config/ingle/ingle.toml:3",
  /// "INGLE_TOP_K", "--top-k". More than one only where lists were joined.
  std::map<std::string, std::vector<std::string>, std::less<>> origins = {};
  std::vector<ConfigSource> sources = {};
};

/// Reads files and environment, and puts the flags over them. The project's file is the nearest
/// ingle.toml in the current folder or above it; the user's is `ingle/ingle.toml` in the user's
/// configuration folder (XDG_CONFIG_HOME).
///
/// Errors: `read_config_file`'s, and invalid_argument "config_value_invalid" naming the variable.
Result<Configuration> read_configuration(const Environment& environment, const Flags& flags);

/// For a session that is there: the agent as it was `logged` (`settings_json`; null: by a program
/// that logs nothing), then the flags. Where things are is as `configuration` has it. Errors:
/// `config_from_settings`'s.
Result<Config> session_config(const Json& logged, const Configuration& configuration,
                              const Flags& flags);

/// A path as people write it: from the current folder where it lies in it, with "~" for the home.
[[nodiscard]] std::string shown_path(const Environment& environment,
                                     const std::filesystem::path& path);

}  // namespace ingle::cli
