#include "cli/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "ingle/tool/nearest_name.h"

namespace ingle::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDefaultModel = "SmolLM2-135M-Instruct-Q4_1";
constexpr std::string_view kScripted = "scripted:";
constexpr std::string_view kGguf = ".gguf";

fs::path home(const Environment& environment) { return environment.variable("HOME").value_or("."); }

/// The variable, or `otherwise` in the home.
fs::path xdg_folder(const Environment& environment, const char* variable,
                    const fs::path& otherwise) {
  const auto folder = environment.variable(variable);
  return folder ? fs::path(*folder) : home(environment) / otherwise;
}

fs::path cache_folder(const Environment& environment) {
  if (const auto cache = environment.variable("INGLE_CACHE")) {
    return *cache;
  }
  return xdg_folder(environment, "XDG_CACHE_HOME", ".cache") / "ingle";
}

bool is_path(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(kGguf);
}

Error unknown_model(std::string_view name, const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::path& file : model_files(folder)) {
    names.push_back(file.stem().string());
  }
  std::string message = fmt::format("there is no model \"{}\" in {}", name, folder.string());
  if (const auto nearest = nearest_name(name, names)) {
    message += fmt::format("; did you mean {}?", *nearest);
  } else if (!names.empty()) {
    message += fmt::format("; there is: {}", fmt::join(names, ", "));
  }
  std::error_code ignored;
  if (fs::exists(fs::path(name), ignored)) {
    message += fmt::format("; for the file in this folder write ./{}", name);
  }
  if (names.empty()) {
    message +=
        "; scripts/fetch in a checkout of Ingle brings the default model, or give the path of a "
        "GGUF "
        "file";
  }
  return {ErrorCode::kNotFound, "model_unknown", std::move(message), {}};
}

}  // namespace

fs::path models_folder(const Environment& environment, const Config& config) {
  return config.models ? fs::path(*config.models) : cache_folder(environment) / "models";
}

fs::path data_file(const Environment& environment, const Config& config) {
  return config.data
             ? fs::path(*config.data)
             : xdg_folder(environment, "XDG_DATA_HOME", ".local/share") / "ingle" / "sessions.db";
}

fs::path user_config_file(const Environment& environment) {
  return xdg_folder(environment, "XDG_CONFIG_HOME", ".config") / "ingle" / "ingle.toml";
}

std::vector<fs::path> model_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == kGguf) {
      files.push_back(entry->path());
    }
  }
  std::ranges::sort(files);
  return files;
}

std::string chosen_model(const Config& config) {
  return config.model.value_or(std::string(kDefaultModel));
}

Result<ModelRequest> resolve_model(const Environment& environment, const Config& config,
                                   std::string_view text) {
  if (text.empty()) {
    return Error{
        ErrorCode::kInvalidArgument, "model_name_empty", "--model needs a name or a path", {}};
  }
  if (text.starts_with(kScripted)) {
    return ModelRequest{.kind = ModelKind::kScript,
                        .path = fs::path(text.substr(kScripted.size())),
                        .name = "scripted"};
  }
  if (is_path(text)) {
    const fs::path path(text);
    return ModelRequest{.path = path, .name = path.stem().string()};
  }
  const fs::path folder = models_folder(environment, config);
  fs::path file = folder / (std::string(text) + std::string(kGguf));
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return unknown_model(text, folder);
  }
  return ModelRequest{.path = std::move(file), .name = std::string(text)};
}

std::string absolute_model(std::string_view text, const fs::path& folder) {
  const auto absolute = [&folder](std::string_view path) {
    return (folder / path).lexically_normal().string();
  };
  if (text.starts_with(kScripted)) {
    return std::string(kScripted) + absolute(text.substr(kScripted.size()));
  }
  return is_path(text) ? absolute(text) : std::string(text);
}

}  // namespace ingle::cli
