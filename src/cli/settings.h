/// What the command needs to make an agent again: kept in the log with each run
/// (`RunOptions::settings`), so that `ingle resume ID` needs no repetition.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"
#include "ingle/cli/environment.h"
#include "ingle/core/json.h"
#include "ingle/core/result.h"
#include "ingle/model/generation.h"
#include "ingle/policy/policy.h"
#include "ingle/session/limits.h"

namespace ingle::cli {

struct Settings {
  std::string model = {};               ///< As `--model` takes it, paths absolute.
  std::vector<std::string> tools = {};  ///< Names, or {"all"} before they were looked up.
  std::string root = {};                ///< Absolute.
  std::string system = {};
  std::optional<double> temperature = {};
  std::optional<TokenCount> max_tokens = {};
  std::vector<Rule> rules = {};
  Limits limits = {};
  std::int32_t threads = 0;
  std::int32_t context_window = 0;

  bool operator==(const Settings&) const = default;
};

/// Without any flag: the default model, no tools, the current folder.
[[nodiscard]] Settings default_settings(const Environment& environment);

/// What `flags` give replaces what `settings` had; rules replace all rules.
void apply_flags(Settings& settings, const AgentFlags& flags);

[[nodiscard]] Json to_json(const Settings& settings);

/// Null (a run of another program): `fallback`. Errors: invalid_argument "settings_invalid".
Result<Settings> settings_from_json(const Json& value, const Settings& fallback);

}  // namespace ingle::cli
