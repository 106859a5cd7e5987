/// One ingle.toml, read and checked. Format: docs/formats/ingle-toml.md.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "cli/config/config.h"
#include "ingle/core/result.h"

namespace ingle::cli {

/// Who wrote a file.
enum class ConfigTrust : std::uint8_t {
  kUser,     ///< The person who runs the command.
  kProject,  ///< Whoever made the folder, a stranger perhaps: it may forbid more, and allow
             ///< nothing.
};

struct ConfigFile {
  Config values = {};
  std::map<std::string, int, std::less<>> lines = {};  ///< Of each key that is set, from 1.
};

struct ConfigFileRequest {
  std::filesystem::path file = {};
  std::string shown = {};  ///< What messages call the file.
  ConfigTrust trust = ConfigTrust::kUser;
  std::filesystem::path home = {};  ///< What "~/" in a path stands for.
};

///
/// Errors, all of which name file and line: invalid_argument "config_syntax", "config_key_unknown"
/// (names the nearest key), "config_value_invalid", "config_not_allowed" (a project's file that
/// sets rules.allow, or a root outside of its folder), "config_too_large" (over 1 MiB),
/// "config_foreign" (it belongs to somebody else than the user and root); not_found
/// "config_missing"; unavailable "config_unreadable".
Result<ConfigFile> read_config_file(const ConfigFileRequest& request);

}  // namespace ingle::cli
