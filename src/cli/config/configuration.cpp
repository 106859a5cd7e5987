#include "cli/config/configuration.h"

#include <system_error>
#include <utility>

#include "cli/config/config_file.h"
#include "cli/config/config_keys.h"
#include "cli/places.h"

namespace ingle::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "ingle.toml";
constexpr const char* kNone = "none";

/// The nearest one in `folder` or above it.
std::optional<fs::path> find_project_file(const fs::path& folder) {
  std::error_code ignored;
  for (fs::path here = folder;; here = here.parent_path()) {
    fs::path file = here / kFileName;
    if (fs::exists(file, ignored)) {
      return file;
    }
    if (!here.has_relative_path()) {
      return std::nullopt;
    }
  }
}

/// Paths of flags and variables are meant from the current folder.
void make_absolute(Config& values, const fs::path& here) {
  for (const ConfigKey& key : config_keys()) {
    const auto* member = std::get_if<std::optional<std::string> Config::*>(&key.member);
    if (member == nullptr || !(values.*(*member))) {
      continue;
    }
    std::string& text = *(values.*(*member));
    if (key.form == TextForm::kPath && !text.empty()) {
      text = (here / text).lexically_normal().string();
    } else if (key.form == TextForm::kModel) {
      text = absolute_model(text, here);
    }
  }
}

class Layers {
 public:
  explicit Layers(const Environment& environment) : environment_(environment) {}

  Result<void> add_files(const Flags& flags) {
    const auto given = flags.file ? flags.file : environment_.variable("INGLE_CONFIG");
    if (given == kNone) {
      return {};
    }
    if (given) {
      return add_file("given", environment_.current_folder() / *given, ConfigTrust::kUser, true);
    }
    const fs::path user = user_config_file(environment_);
    INGLE_RETURN_IF_ERROR(add_file("user", user, ConfigTrust::kUser, false));
    const fs::path here = environment_.current_folder();
    const auto project = find_project_file(here);
    return add_file("project", project.value_or(here / kFileName), ConfigTrust::kProject, false);
  }

  Result<void> add_environment() {
    Config values;
    for (const ConfigKey& key : config_keys()) {
      const std::string variable = key.variable();
      const auto text = environment_.variable(variable);
      if (!text) {
        continue;
      }
      if (auto set = set_text(values, key, std::span(&*text, 1)); !set) {
        return set.error().context(variable);
      }
      note(key, variable);
    }
    make_absolute(values, environment_.current_folder());
    overlay_adding_rules(result_.values, values);
    return {};
  }

  void add_flags(Config values) {
    for (const ConfigKey& key : config_keys()) {
      if (!value_of(values, key).is_null()) {
        note(key, std::string(key.flag));
      }
    }
    make_absolute(values, environment_.current_folder());
    overlay_adding_rules(result_.values, values);
  }

  Configuration take() { return std::move(result_); }

 private:
  Result<void> add_file(std::string role, const fs::path& file, ConfigTrust trust, bool is_needed) {
    const std::string shown = shown_path(environment_, file);
    auto read = read_config_file({.file = file,
                                  .shown = shown,
                                  .trust = trust,
                                  .home = environment_.variable("HOME").value_or("")});
    if (!read && (is_needed || read.error().reason != "config_missing")) {
      return read.error();
    }
    result_.sources.push_back({std::move(role), file, read.ok()});
    if (read) {
      for (const auto& [name, line] : read->lines) {
        note(*find_config_key(name), shown + ":" + std::to_string(line));
      }
      overlay_adding_rules(result_.values, read->values);
    }
    return {};
  }

  void note(const ConfigKey& key, std::string origin) {
    auto& origins = result_.origins[std::string(key.name)];
    if (key.table() != "rules") {
      origins.clear();
    }
    origins.push_back(std::move(origin));
  }

  const Environment& environment_;
  Configuration result_;
};

}  // namespace

Result<Configuration> read_configuration(const Environment& environment, const Flags& flags) {
  Layers layers(environment);
  INGLE_RETURN_IF_ERROR(layers.add_files(flags));
  INGLE_RETURN_IF_ERROR(layers.add_environment());
  layers.add_flags(flags.values);
  return layers.take();
}

Result<Config> session_config(const Json& logged, const Configuration& configuration,
                              const Flags& flags) {
  if (logged.is_null()) {
    return configuration.values;
  }
  INGLE_TRY(Config config, config_from_settings(logged));
  Config given = flags.values;
  for (const ConfigKey& key : config_keys()) {
    const auto* member = std::get_if<std::optional<std::string> Config::*>(&key.member);
    // As it was made absolute already.
    if (member != nullptr && given.*(*member)) {
      given.*(*member) = configuration.values.*(*member);
    }
  }
  overlay(config, given);
  config.data = configuration.values.data;
  config.models = configuration.values.models;
  return config;
}

std::string shown_path(const Environment& environment, const fs::path& path) {
  const fs::path here = environment.current_folder();
  const fs::path nearby = path.lexically_proximate(here);
  if (!nearby.empty() && *nearby.begin() != ".." && nearby.is_relative()) {
    return nearby.string();
  }
  if (const auto home = environment.variable("HOME")) {
    const fs::path inner = path.lexically_proximate(*home);
    if (!inner.empty() && *inner.begin() != ".." && inner.is_relative()) {
      return "~/" + inner.string();
    }
  }
  return path.string();
}

}  // namespace ingle::cli
