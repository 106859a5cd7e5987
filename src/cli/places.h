/// Where things are: models, sessions, configuration. What is not configured follows the XDG base
/// directory specification.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/config/config.h"
#include "ingle/cli/environment.h"
#include "ingle/core/result.h"

namespace ingle::cli {

/// The key `models`, or `models` in INGLE_CACHE, which is by default `ingle` in the user's cache
/// folder.
[[nodiscard]] std::filesystem::path models_folder(const Environment& environment,
                                                  const Config& config);

/// The key `data`, or `ingle/sessions.db` in the user's data folder.
[[nodiscard]] std::filesystem::path data_file(const Environment& environment, const Config& config);

/// `ingle/ingle.toml` in the user's configuration folder.
[[nodiscard]] std::filesystem::path user_config_file(const Environment& environment);

/// The *.gguf files of a folder, sorted by name; none when it cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> model_files(const std::filesystem::path& folder);

/// The key `model`, or the model that scripts/fetch brings.
[[nodiscard]] std::string chosen_model(const Config& config);

/// What `--model` means: "scripted:FILE", a path (it has a '/' or ends in ".gguf"), or the name of
/// a file in the models folder. Whether a path exists is left to the engine. Errors: not_found
/// "model_unknown" (lists the models there are, says how to get one); invalid_argument
/// "model_name_empty".
Result<ModelRequest> resolve_model(const Environment& environment, const Config& config,
                                   std::string_view text);

/// `text` as it was meant in `folder`: its path, if it has one, made absolute.
[[nodiscard]] std::string absolute_model(std::string_view text,
                                         const std::filesystem::path& folder);

}  // namespace ingle::cli
