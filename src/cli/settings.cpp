#include "cli/settings.h"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "cli/places.h"

namespace ingle::cli {
namespace {

std::string absolute_folder(const std::string& folder) {
  std::error_code error;
  const auto path = std::filesystem::weakly_canonical(folder, error);
  return error ? folder : path.string();
}

std::chrono::milliseconds milliseconds(double seconds) {
  constexpr double kLongest = 1e12;  // Beyond it the conversion below would overflow.
  return std::chrono::milliseconds(std::llround(std::min(seconds * 1000.0, kLongest)));
}

json rules_to_json(const std::vector<Rule>& rules) {
  json result = json::array();
  for (const Rule& rule : rules) {
    result.push_back({{"tools", rule.tools}, {"effect", to_string(rule.effect)}});
  }
  return result;
}

std::vector<Rule> rules_from_json(const json& value) {
  std::vector<Rule> rules;
  for (const json& rule : value) {
    const auto& effect = rule.at("effect").get_ref<const std::string&>();
    // What is not known is not allowed.
    rules.push_back({.tools = rule.at("tools").get<std::string>(),
                     .effect = effect == "allow" ? GateEffect::kAllow
                               : effect == "ask" ? GateEffect::kAsk
                                                 : GateEffect::kDeny});
  }
  return rules;
}

template <class T>
std::optional<T> optional_member(const json& object, const char* name) {
  const auto member = object.find(name);
  return member == object.end() ? std::nullopt : std::optional<T>(member->get<T>());
}

}  // namespace

Settings default_settings(const Environment& environment) {
  return {.model = absolute_model(default_model(environment)), .root = absolute_folder(".")};
}

void apply_flags(Settings& settings, const AgentFlags& flags) {
  if (flags.model) {
    settings.model = absolute_model(*flags.model);
  }
  if (flags.root) {
    settings.root = absolute_folder(*flags.root);
  }
  if (!flags.rules.empty()) {
    settings.rules = flags.rules;
  }
  if (flags.max_steps) {
    settings.limits.model_calls = flags.max_steps;
  }
  if (flags.timeout) {
    settings.limits.wall_time = milliseconds(*flags.timeout);
  }
  if (flags.max_tokens) {
    settings.max_tokens = flags.max_tokens;
  }
  if (flags.temperature) {
    settings.temperature = flags.temperature;
  }
  settings.tools = flags.tools.value_or(settings.tools);
  settings.system = flags.system.value_or(settings.system);
  settings.threads = flags.threads.value_or(settings.threads);
  settings.context_window = flags.context.value_or(settings.context_window);
}

Json to_json(const Settings& settings) {
  json result{{"model", settings.model},
              {"tools", settings.tools},
              {"root", settings.root},
              {"system", settings.system},
              {"rules", rules_to_json(settings.rules)},
              {"limits", ingle::to_json(settings.limits)},
              {"threads", settings.threads},
              {"context", settings.context_window}};
  if (settings.temperature) {
    result["temperature"] = *settings.temperature;
  }
  if (settings.max_tokens) {
    result["max_tokens"] = *settings.max_tokens;
  }
  return result;
}

Result<Settings> settings_from_json(const Json& value, const Settings& fallback) {
  if (value.is_null()) {
    return fallback;
  }
  try {
    Settings settings{.model = value->at("model").get<std::string>(),
                      .tools = value->at("tools").get<std::vector<std::string>>(),
                      .root = value->at("root").get<std::string>(),
                      .system = value->at("system").get<std::string>(),
                      .temperature = optional_member<double>(*value, "temperature"),
                      .max_tokens = optional_member<TokenCount>(*value, "max_tokens"),
                      .rules = rules_from_json(value->at("rules")),
                      .threads = value->at("threads").get<std::int32_t>(),
                      .context_window = value->at("context").get<std::int32_t>()};
    INGLE_TRY(settings.limits, limits_from_json(Json(value->at("limits"))));
    return settings;
  } catch (const json::exception& exception) {
    return Error{ErrorCode::kInvalidArgument,
                 "settings_invalid",
                 std::string("the session was not made by this command (") + exception.what() + ")",
                 {}};
  }
}

}  // namespace ingle::cli
