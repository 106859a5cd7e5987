// `ingle config`: each value, and where it came from.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "cli/commands.h"
#include "cli/config/config_keys.h"
#include "cli/job.h"
#include "cli/options/options_parts.h"
#include "cli/places.h"
#include "cli/report/notes.h"
#include "cli/text/display_width.h"
#include "cli/text/terminal_text.h"

namespace ingle::cli {
namespace {

constexpr std::size_t kMaxValueWidth = 40;

constexpr const char* kFooter = R"(Examples:
  ingle config
  ingle config models
  ingle config --top-k 40 sampling.top_k
  ingle config --json | jq '.values["engine.threads"]'

Values come from, the strongest first: flags, the environment (INGLE_ and the key's name in capitals,
without its table: INGLE_TOP_K), the project's ingle.toml (the nearest one in the current folder or
above it), the user's, and what is built in. Rules of all of them hold: the strictest wins. A
project's file cannot set rules.allow, nor a root outside of its folder.)";

/// As it would stand in ingle.toml.
std::string value_text(const Json& value) {
  return value->is_string() ? value->get<std::string>() : value.dump();
}

std::string origin_text(const Configuration& configuration, const ConfigKey& key) {
  const auto found = configuration.origins.find(key.name);
  return found == configuration.origins.end() ? "default"
                                              : fmt::format("{}", fmt::join(found->second, ", "));
}

void print_table(const Configuration& configuration, const Environment& environment,
                 std::ostream& out) {
  std::size_t width = 0;
  for (const ConfigKey& key : config_keys()) {
    width = std::max(width, key.name.size());
  }
  for (const ConfigKey& key : config_keys()) {
    const Json value = value_of(configuration.values, key);
    const std::string text =
        value.is_null() ? "(" + std::string(key.fallback) + ")" : one_line(value_text(value));
    const std::string shown = fit_to_width(text, kMaxValueWidth);
    const std::string padding(kMaxValueWidth - std::min(kMaxValueWidth, display_width(shown)), ' ');
    out << fmt::format("{:<{}}  {}{}  {}\n", key.name, width, shown, padding,
                       one_line(origin_text(configuration, key)));
  }
  for (const ConfigSource& source : configuration.sources) {
    out << fmt::format("{:<{}}  {}{}\n", source.role + "'s file", width,
                       one_line(shown_path(environment, source.file)),
                       source.is_there ? "" : " (not there)");
  }
}

Json as_json(const Configuration& configuration) {
  json values = json::object();
  for (const ConfigKey& key : config_keys()) {
    const auto origins = configuration.origins.find(key.name);
    values[std::string(key.name)] = {
        {"value", *value_of(configuration.values, key)},
        {"from", origins == configuration.origins.end() ? json::array() : json(origins->second)},
        {"default", key.fallback},
        {"flag", key.flag},
        {"variable", key.variable()}};
  }
  json files = json::array();
  for (const ConfigSource& source : configuration.sources) {
    files.push_back(
        {{"role", source.role}, {"path", source.file.string()}, {"exists", source.is_there}});
  }
  return json{{"values", std::move(values)}, {"files", std::move(files)}};
}

Error unknown_key(const std::string& name) {
  std::string message = fmt::format("there is no key {}", name);
  if (const auto nearest = nearest_config_key(name)) {
    message += "; did you mean " + *nearest + "?";
  }
  return {ErrorCode::kInvalidArgument, "config_key_unknown", std::move(message), Json{}};
}

/// The value alone, for scripts; where nobody set it and a place is meant, the place.
Result<std::string> one_value(const Configuration& configuration, const Environment& environment,
                              const std::string& name) {
  const ConfigKey* key = find_config_key(name);
  if (key == nullptr) {
    return unknown_key(name);
  }
  const Json value = value_of(configuration.values, *key);
  if (!value.is_null()) {
    return value_text(value);
  }
  if (name == "models") {
    return models_folder(environment, configuration.values).string();
  }
  if (name == "data") {
    return data_file(environment, configuration.values).string();
  }
  return name == "model" ? chosen_model(configuration.values) : std::string();
}

}  // namespace

void add_config(CLI::App& app, ConfigArguments& arguments) {
  CLI::App* config = app.add_subcommand("config", "Each value that can be set, and who set it");
  config->footer(kFooter);
  config->add_option("KEY", arguments.key,
                     "Only this one's value; an empty line when it is not set");
  config->add_flag("--json", arguments.json, "As JSON");
  add_agent(*config, arguments.flags);
}

ExitCode show_config(const ConfigArguments& arguments, Streams& streams, Environment& environment) {
  const auto configuration = read_configuration(environment, arguments.flags);
  if (!configuration) {
    return fail(configuration.error(), streams, environment);
  }
  if (arguments.key) {
    const auto value = one_value(*configuration, environment, *arguments.key);
    if (!value) {
      return fail(value.error(), streams, environment);
    }
    streams.out << *value << '\n';
    return ExitCode::kOk;
  }
  if (arguments.json) {
    streams.out << as_json(*configuration).dump() << '\n';
  } else {
    print_table(*configuration, environment, streams.out);
  }
  return ExitCode::kOk;
}

}  // namespace ingle::cli
