/// The values that ingle.toml, the environment and flags may set.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ingle/core/json.h"
#include "ingle/core/result.h"
#include "ingle/model/generation.h"
#include "ingle/policy/policy.h"
#include "ingle/session/limits.h"

namespace ingle::cli {

/// What describes an agent, and where things are kept. A member that is not set is left to who is
/// asked next: flags, environment, project, user, and then the engine. What each means is said in
/// the table of keys (config/config_keys.h), names and ranges with it.
struct Config {
  std::optional<std::string> model = {};  ///< As `--model` takes it; paths are absolute.
  std::optional<std::string> system = {};
  std::optional<std::vector<std::string>> tools = {};
  std::optional<std::string> root = {};  ///< Absolute.
  // Places.
  std::optional<std::string> data = {};
  std::optional<std::string> models = {};
  // Rules: patterns.
  std::optional<std::vector<std::string>> allow = {};
  std::optional<std::vector<std::string>> ask = {};
  std::optional<std::vector<std::string>> deny = {};
  // Limits.
  std::optional<std::int64_t> max_steps = {};
  std::optional<std::int64_t> max_tokens = {};
  std::optional<double> timeout = {};  ///< Seconds.
  // Sampling.
  std::optional<double> temperature = {};
  std::optional<std::int64_t> top_k = {};
  std::optional<double> top_p = {};
  std::optional<double> min_p = {};
  std::optional<double> typical_p = {};
  std::optional<std::int64_t> seed = {};
  std::optional<double> repetition_penalty = {};
  std::optional<double> presence_penalty = {};
  std::optional<double> frequency_penalty = {};
  std::optional<std::vector<std::string>> logit_bias = {};  ///< "TOKEN=BIAS".
  std::optional<std::vector<std::string>> stop = {};
  std::optional<bool> thinking = {};
  std::optional<std::int64_t> reasoning_budget = {};
  // Engine.
  std::optional<std::int64_t> threads = {};
  std::optional<std::int64_t> batch_threads = {};
  std::optional<std::int64_t> context = {};
  std::optional<std::int64_t> batch_size = {};
  std::optional<std::string> kv_type = {};
  std::optional<bool> flash_attention = {};
  std::optional<std::int64_t> gpu_layers = {};
  std::optional<std::string> chat_template = {};

  bool operator==(const Config&) const = default;
};

/// What `over` sets replaces what `base` has. A rule of `over` replaces all rules.
void overlay(Config& base, const Config& over);

/// As `overlay`, but the rules of both hold: the strictest that matches wins in the end.
void overlay_adding_rules(Config& base, const Config& over);

[[nodiscard]] std::vector<Rule> rules_of(const Config& config);
[[nodiscard]] Limits limits_of(const Config& config);

/// Errors: invalid_argument "logit_bias_invalid", "option_out_of_range".
Result<GenerationOptions> generation_of(const Config& config);

/// In the form of ingle.toml, without the places: what is logged with a run
/// (`RunOptions::settings`), so that `ingle resume ID` needs no repetition.
[[nodiscard]] Json settings_json(const Config& config);

/// Inverse. Members that this version does not know are left out. Errors: invalid_argument
/// "settings_invalid" (a run of another program).
Result<Config> config_from_settings(const Json& value);

}  // namespace ingle::cli
