/// The one table of what can be set: from it come the flags, the environment variables, the keys of
/// ingle.toml, `ingle config`, and what is logged with a run.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/config/config.h"
#include "ingle/core/json.h"
#include "ingle/core/result.h"

namespace ingle::cli {

/// What a text is; a path in a file is relative to the file's folder.
enum class TextForm : std::uint8_t {
  kPlain,
  kPath,
  kModel,  ///< As `--model` takes it: it may be a path.
};

using ConfigMember =
    std::variant<std::optional<std::string> Config::*, std::optional<double> Config::*,
                 std::optional<std::int64_t> Config::*, std::optional<bool> Config::*,
                 std::optional<std::vector<std::string>> Config::*>;

struct ConfigKey {
  std::string_view name;       ///< In ingle.toml, with its table: "sampling.top_k".
  std::string_view flag;       ///< "--top-k".
  std::string_view type_name;  ///< Of the flag, in the help: "N".
  std::string_view about;
  std::string_view fallback;  ///< What holds where nobody sets it, in words.
  ConfigMember member;
  // Numbers.
  double min = std::numeric_limits<double>::lowest();
  double max = std::numeric_limits<double>::max();
  bool is_min_excluded = false;
  // Texts.
  TextForm form = TextForm::kPlain;
  std::span<const std::string_view> choices = {};
  // Lists.
  bool is_split = true;  ///< Commas separate, in a flag and in the environment.
  /// Where things are kept: not a property of an agent, so not logged with a run.
  bool is_place = false;

  /// "INGLE_TOP_K".
  [[nodiscard]] std::string variable() const;
  /// The table's name, "" for none: "sampling".
  [[nodiscard]] std::string_view table() const;
  /// Without the table.
  [[nodiscard]] std::string_view short_name() const;
};

/// In the order in which they are shown.
[[nodiscard]] std::span<const ConfigKey> config_keys();

/// None where there is no such key.
[[nodiscard]] const ConfigKey* find_config_key(std::string_view name);

/// The key that was probably meant: the right key in the wrong table, or a similar one.
[[nodiscard]] std::optional<std::string> nearest_config_key(std::string_view name);

/// Errors: invalid_argument "config_value_invalid": the message says what it must be, not what it
/// is called.
Result<void> set_value(Config& config, const ConfigKey& key, const Json& value);

/// From a flag or the environment. Several texts are for a list; of any other key, the last counts.
/// Same errors.
Result<void> set_text(Config& config, const ConfigKey& key, std::span<const std::string> texts);

/// Null where it is not set.
[[nodiscard]] Json value_of(const Config& config, const ConfigKey& key);

void unset(Config& config, const ConfigKey& key);

}  // namespace ingle::cli
