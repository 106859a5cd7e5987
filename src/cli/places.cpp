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

fs::path cache_folder(const Environment& environment) {
  if (const auto cache = environment.variable("INGLE_CACHE")) {
    return *cache;
  }
  if (const auto cache = environment.variable("XDG_CACHE_HOME")) {
    return fs::path(*cache) / "ingle";
  }
  return home(environment) / ".cache" / "ingle";
}

bool is_path(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(kGguf);
}

fs::path absolute(const fs::path& path) {
  std::error_code error;
  const fs::path result = fs::absolute(path, error);
  return error ? path : result.lexically_normal();
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

fs::path models_folder(const Environment& environment) {
  if (const auto folder = environment.variable("INGLE_MODELS")) {
    return *folder;
  }
  return cache_folder(environment) / "models";
}

fs::path data_file(const Environment& environment) {
  if (const auto file = environment.variable("INGLE_DATA")) {
    return *file;
  }
  const auto data = environment.variable("XDG_DATA_HOME");
  return (data ? fs::path(*data) : home(environment) / ".local" / "share") / "ingle" /
         "sessions.db";
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

std::string default_model(const Environment& environment) {
  return environment.variable("INGLE_MODEL").value_or(std::string(kDefaultModel));
}

Result<ModelRequest> resolve_model(const Environment& environment, std::string_view text) {
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
  const fs::path folder = models_folder(environment);
  fs::path file = folder / (std::string(text) + std::string(kGguf));
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    return unknown_model(text, folder);
  }
  return ModelRequest{.path = std::move(file), .name = std::string(text)};
}

std::string absolute_model(std::string_view text) {
  if (text.starts_with(kScripted)) {
    return std::string(kScripted) + absolute(text.substr(kScripted.size())).string();
  }
  return is_path(text) ? absolute(text).string() : std::string(text);
}

}  // namespace ingle::cli
