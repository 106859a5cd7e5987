/// Where things are: models, sessions. From environment variables, with the defaults of the XDG
/// base directory specification.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/cli/environment.h"
#include "ingle/core/result.h"

namespace ingle::cli {

/// INGLE_MODELS, or `models` in INGLE_CACHE, which is by default `ingle` in the user's cache
/// folder.
[[nodiscard]] std::filesystem::path models_folder(const Environment& environment);

/// INGLE_DATA, or `ingle/sessions.db` in the user's data folder.
[[nodiscard]] std::filesystem::path data_file(const Environment& environment);

/// The *.gguf files of a folder, sorted by name; none when it cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> model_files(const std::filesystem::path& folder);

/// INGLE_MODEL, or the model that scripts/fetch brings.
[[nodiscard]] std::string default_model(const Environment& environment);

/// What `--model` means: "scripted:FILE", a path (it has a '/' or ends in ".gguf"), or the name of
/// a file in the models folder. Whether a path exists is left to the engine. Errors: not_found
/// "model_unknown" (lists the models there are, says how to get one); invalid_argument
/// "model_name_empty".
Result<ModelRequest> resolve_model(const Environment& environment, std::string_view text);

/// `text` for later, from another folder: its path, if it has one, made absolute.
[[nodiscard]] std::string absolute_model(std::string_view text);

}  // namespace ingle::cli
