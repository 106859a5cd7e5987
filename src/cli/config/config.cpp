#include "cli/config/config.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/config/config_keys.h"

namespace ingle::cli {
namespace {

std::chrono::milliseconds milliseconds(double seconds) {
  constexpr double kLongest = 1e12;  // Beyond it the conversion below would overflow.
  return std::chrono::milliseconds(std::llround(std::min(seconds * 1000.0, kLongest)));
}

bool has_rules(const Config& config) { return config.allow || config.ask || config.deny; }

void overlay_all(Config& base, const Config& over) {
  for (const ConfigKey& key : config_keys()) {
    std::visit(
        [&](auto member) {
          if (over.*member) {
            base.*member = over.*member;
          }
        },
        key.member);
  }
}

void append(std::optional<std::vector<std::string>>& list,
            const std::optional<std::vector<std::string>>& more) {
  if (!more) {
    return;
  }
  auto& all = list ? *list : list.emplace();
  all.insert(all.end(), more->begin(), more->end());
}

/// "TOKEN=BIAS".
Result<std::pair<Token, double>> parse_bias(const std::string& text) {
  const auto equals = text.find('=');
  Token token = 0;
  double bias = 0;
  if (equals != std::string::npos) {
    const char* const middle = text.data() + equals;
    const char* const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), middle, token);
    const auto second = std::from_chars(middle + 1, end, bias);
    if (first.ec == std::errc() && first.ptr == middle && second.ec == std::errc() &&
        second.ptr == end) {
      return std::pair(token, bias);
    }
  }
  return Error{ErrorCode::kInvalidArgument,
               "logit_bias_invalid",
               fmt::format("\"{}\" is no logit bias: write TOKEN=BIAS, 42=-5 for one; ingle "
                           "tokenize tells the numbers of tokens",
                           text),
               {}};
}

template <class Target, class Source>
std::optional<Target> narrowed(const std::optional<Source>& value) {
  return value ? std::optional<Target>(static_cast<Target>(*value)) : std::nullopt;
}

}  // namespace

void overlay(Config& base, const Config& over) {
  if (has_rules(over)) {
    base.allow.reset();
    base.ask.reset();
    base.deny.reset();
  }
  overlay_all(base, over);
}

void overlay_adding_rules(Config& base, const Config& over) {
  Config rules = base;
  append(rules.allow, over.allow);
  append(rules.ask, over.ask);
  append(rules.deny, over.deny);
  overlay_all(base, over);
  base.allow = std::move(rules.allow);
  base.ask = std::move(rules.ask);
  base.deny = std::move(rules.deny);
}

std::vector<Rule> rules_of(const Config& config) {
  std::vector<Rule> rules;
  const auto add = [&rules](const std::optional<std::vector<std::string>>& patterns,
                            GateEffect effect) {
    for (const std::string& pattern : patterns.value_or(std::vector<std::string>())) {
      rules.push_back({.tools = pattern, .effect = effect});
    }
  };
  add(config.allow, GateEffect::kAllow);
  add(config.ask, GateEffect::kAsk);
  add(config.deny, GateEffect::kDeny);
  return rules;
}

Limits limits_of(const Config& config) {
  Limits limits;
  if (config.max_steps) {
    limits.model_calls = config.max_steps;
  }
  if (config.timeout) {
    limits.wall_time = milliseconds(*config.timeout);
  }
  return limits;
}

Result<GenerationOptions> generation_of(const Config& config) {
  GenerationOptions options;
  options.temperature = config.temperature;
  options.top_k = narrowed<std::int32_t>(config.top_k);
  options.typical_p = config.typical_p;
  options.top_p = config.top_p;
  options.min_p = config.min_p;
  options.seed = narrowed<std::uint32_t>(config.seed);
  options.repetition_penalty = config.repetition_penalty;
  options.presence_penalty = config.presence_penalty;
  options.frequency_penalty = config.frequency_penalty;
  for (const std::string& text : config.logit_bias.value_or(std::vector<std::string>())) {
    INGLE_TRY(const auto bias, parse_bias(text));
    options.logit_bias.insert_or_assign(bias.first, bias.second);
  }
  options.max_tokens = config.max_tokens;
  options.stop = config.stop.value_or(std::vector<std::string>());
  if (config.thinking) {
    options.thinking = *config.thinking ? Thinking::kOn : Thinking::kOff;
  }
  options.reasoning_budget = config.reasoning_budget;
  INGLE_RETURN_IF_ERROR(check_options(options));
  return options;
}

Json settings_json(const Config& config) {
  json settings = json::object();
  for (const ConfigKey& key : config_keys()) {
    const Json value = value_of(config, key);
    if (value->is_null() || key.is_place) {
      continue;
    }
    const std::string name(key.short_name());
    const std::string table(key.table());
    (table.empty() ? settings : settings[table])[name] = *value;
  }
  return settings;
}

Result<Config> config_from_settings(const Json& value) {
  const auto invalid = [](const std::string& why) {
    return Error{ErrorCode::kInvalidArgument, "settings_invalid",
                 "the session was not made by this command (" + why + ")", Json{}};
  };
  if (!value->is_object()) {
    return invalid("its settings are no object");
  }
  Config config;
  for (const ConfigKey& key : config_keys()) {
    const json* object = &*value;
    if (!key.table().empty()) {
      const auto table = value->find(std::string(key.table()));
      if (table == value->end()) {
        continue;
      }
      object = &*table;
      if (!object->is_object()) {
        return invalid(std::string(key.table()) + " is no object");
      }
    }
    const auto member = object->find(std::string(key.short_name()));
    if (member == object->end()) {
      continue;
    }
    if (auto set = set_value(config, key, Json(*member)); !set) {
      return invalid(std::string(key.name) + ": " + set.error().message);
    }
  }
  if (!config.model) {
    return invalid("no model is named");
  }
  return config;
}

}  // namespace ingle::cli
