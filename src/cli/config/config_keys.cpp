#include "cli/config/config_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "cli/text/terminal_text.h"
#include "ingle/tool/nearest_name.h"

namespace ingle::cli {
namespace {

constexpr double kMaxCount = 1e9;  // Fits into 32 bits, which engines use.
constexpr std::array<std::string_view, 3> kKvTypes{"f16", "q8", "q4"};

const std::array kKeys{
    ConfigKey{.name = "model",
              .flag = "--model",
              .type_name = "M",
              .about = "A model's name, the path of a GGUF file, or scripted:FILE",
              .fallback = "SmolLM2-135M-Instruct-Q4_1",
              .member = &Config::model,
              .form = TextForm::kModel},
    ConfigKey{.name = "system",
              .flag = "--system",
              .type_name = "T",
              .about = "What the model is told first",
              .fallback = "nothing",
              .member = &Config::system},
    ConfigKey{.name = "tools",
              .flag = "--tools",
              .type_name = "A,B",
              .about = "Tools the model may call, or all",
              .fallback = "none",
              .member = &Config::tools},
    ConfigKey{.name = "root",
              .flag = "--root",
              .type_name = "DIR",
              .about = "What the file tools see",
              .fallback = "the current folder",
              .member = &Config::root,
              .form = TextForm::kPath},
    ConfigKey{.name = "data",
              .flag = "--data",
              .type_name = "FILE",
              .about = "Where sessions are kept",
              .fallback = "ingle/sessions.db in the user's data folder",
              .member = &Config::data,
              .form = TextForm::kPath,
              .is_place = true},
    ConfigKey{.name = "models",
              .flag = "--models",
              .type_name = "DIR",
              .about = "Where models are looked for by name",
              .fallback = "models in INGLE_CACHE",
              .member = &Config::models,
              .form = TextForm::kPath,
              .is_place = true},
    ConfigKey{.name = "rules.allow",
              .flag = "--allow",
              .type_name = "PATTERN",
              .about = "Tools that run without being asked about",
              .fallback = "tools that only read",
              .member = &Config::allow},
    ConfigKey{.name = "rules.ask",
              .flag = "--ask",
              .type_name = "PATTERN",
              .about = "Tools that a person is asked about",
              .fallback = "all others",
              .member = &Config::ask},
    ConfigKey{.name = "rules.deny",
              .flag = "--deny",
              .type_name = "PATTERN",
              .about = "Tools that never run",
              .fallback = "none",
              .member = &Config::deny},
    ConfigKey{.name = "limits.max_steps",
              .flag = "--max-steps",
              .type_name = "N",
              .about = "Model calls of the run",
              .fallback = "50",
              .member = &Config::max_steps,
              .min = 1,
              .max = 1e15},
    ConfigKey{.name = "limits.max_tokens",
              .flag = "--max-tokens",
              .type_name = "N",
              .about = "Tokens of one reply",
              .fallback = "1024",
              .member = &Config::max_tokens,
              .min = 1,
              .max = 1e15},
    ConfigKey{.name = "limits.timeout",
              .flag = "--timeout",
              .type_name = "SECONDS",
              .about = "Seconds the run may take",
              .fallback = "any",
              .member = &Config::timeout,
              .min = 0,
              .is_min_excluded = true},
    ConfigKey{.name = "sampling.temperature",
              .flag = "--temperature",
              .type_name = "T",
              .about = "0 to 2; 0 is the likeliest text",
              .fallback = "0",
              .member = &Config::temperature,
              .min = 0,
              .max = 2},
    ConfigKey{.name = "sampling.top_k",
              .flag = "--top-k",
              .type_name = "N",
              .about = "Choose among the N likeliest tokens",
              .fallback = "off",
              .member = &Config::top_k,
              .min = 1,
              .max = kMaxCount},
    ConfigKey{.name = "sampling.top_p",
              .flag = "--top-p",
              .type_name = "P",
              .about = "Choose among the likeliest tokens that make up P",
              .fallback = "off",
              .member = &Config::top_p,
              .min = 0,
              .max = 1,
              .is_min_excluded = true},
    ConfigKey{.name = "sampling.min_p",
              .flag = "--min-p",
              .type_name = "P",
              .about = "Drop tokens less likely than P times the likeliest",
              .fallback = "off",
              .member = &Config::min_p,
              .min = 0,
              .max = 1},
    ConfigKey{.name = "sampling.typical_p",
              .flag = "--typical-p",
              .type_name = "P",
              .about = "Locally typical sampling",
              .fallback = "off",
              .member = &Config::typical_p,
              .min = 0,
              .max = 1,
              .is_min_excluded = true},
    ConfigKey{.name = "sampling.seed",
              .flag = "--seed",
              .type_name = "N",
              .about = "Where chance begins",
              .fallback = "0",
              .member = &Config::seed,
              .min = 0,
              .max = 4294967295.0},
    ConfigKey{.name = "sampling.repetition_penalty",
              .flag = "--repetition-penalty",
              .type_name = "X",
              .about = "Above 1: tokens that were there come less",
              .fallback = "off",
              .member = &Config::repetition_penalty,
              .min = 0,
              .max = 10,
              .is_min_excluded = true},
    ConfigKey{.name = "sampling.presence_penalty",
              .flag = "--presence-penalty",
              .type_name = "X",
              .about = "-2 to 2, for a token that the reply has",
              .fallback = "off",
              .member = &Config::presence_penalty,
              .min = -2,
              .max = 2},
    ConfigKey{.name = "sampling.frequency_penalty",
              .flag = "--frequency-penalty",
              .type_name = "X",
              .about = "-2 to 2, for each time that the reply has the token",
              .fallback = "off",
              .member = &Config::frequency_penalty,
              .min = -2,
              .max = 2},
    ConfigKey{.name = "sampling.logit_bias",
              .flag = "--logit-bias",
              .type_name = "TOKEN=BIAS",
              .about = "-100 to 100, added to a token's logit; -100 forbids it",
              .fallback = "none",
              .member = &Config::logit_bias},
    ConfigKey{.name = "sampling.stop",
              .flag = "--stop",
              .type_name = "TEXT",
              .about = "The reply ends before this text; may be given several times",
              .fallback = "none",
              .member = &Config::stop,
              .is_split = false},
    ConfigKey{.name = "sampling.thinking",
              .flag = "--thinking",
              .type_name = "on|off",
              .about = "May the model think before it answers",
              .fallback = "as its template has it",
              .member = &Config::thinking},
    ConfigKey{.name = "sampling.reasoning_budget",
              .flag = "--reasoning-budget",
              .type_name = "N",
              .about = "Tokens of thought, then it answers",
              .fallback = "any",
              .member = &Config::reasoning_budget,
              .min = 0,
              .max = 1e15},
    ConfigKey{.name = "engine.threads",
              .flag = "--threads",
              .type_name = "N",
              .about = "Threads for one token at a time",
              .fallback = "one a core, at most 8",
              .member = &Config::threads,
              .min = 1,
              .max = 1024},
    ConfigKey{.name = "engine.batch_threads",
              .flag = "--batch-threads",
              .type_name = "N",
              .about = "Threads for a prompt",
              .fallback = "as threads",
              .member = &Config::batch_threads,
              .min = 1,
              .max = 1024},
    ConfigKey{.name = "engine.context",
              .flag = "--context",
              .type_name = "N",
              .about = "Context window in tokens",
              .fallback = "the model's, at most 8192",
              .member = &Config::context,
              .min = 1,
              .max = kMaxCount},
    ConfigKey{.name = "engine.batch_size",
              .flag = "--batch-size",
              .type_name = "N",
              .about = "Tokens computed at once: a stop waits for one batch at most",
              .fallback = "256",
              .member = &Config::batch_size,
              .min = 1,
              .max = 65536},
    ConfigKey{.name = "engine.kv_type",
              .flag = "--kv-type",
              .type_name = "f16|q8|q4",
              .about = "Numbers in the cache: 2, 1 or half a byte",
              .fallback = "f16",
              .member = &Config::kv_type,
              .choices = kKvTypes},
    ConfigKey{.name = "engine.flash_attention",
              .flag = "--flash-attention",
              .type_name = "on|off",
              .about = "One fused step for attention",
              .fallback = "where the device profits",
              .member = &Config::flash_attention},
    ConfigKey{.name = "engine.gpu_layers",
              .flag = "--gpu-layers",
              .type_name = "N",
              .about = "Layers on a GPU; -1 all, 0 none",
              .fallback = "-1",
              .member = &Config::gpu_layers,
              .min = -1,
              .max = kMaxCount},
    ConfigKey{.name = "engine.chat_template",
              .flag = "--chat-template",
              .type_name = "FILE",
              .about = "A Jinja template in place of the model's own",
              .fallback = "the model's",
              .member = &Config::chat_template,
              .form = TextForm::kPath},
};

template <class Member>
struct ValueOf;
template <class T>
struct ValueOf<std::optional<T> Config::*> {
  using type = T;
};

Error wrong(const Json& value, const std::string& expected) {
  return {ErrorCode::kInvalidArgument, "config_value_invalid",
          short_line(value.dump(), 60) + " is not " + expected, Json{}};
}

std::string number_text(double value) {
  return std::abs(value) < 1e15 ? fmt::format("{:g}", value) : "";
}

/// "a whole number from 1 to 1024", "a number above 0".
std::string expected_number(const ConfigKey& key, bool is_whole) {
  std::string text = is_whole ? "a whole number" : "a number";
  const bool has_min = key.min > std::numeric_limits<double>::lowest();
  const bool has_max = key.max < kMaxCount;
  if (has_min) {
    text += (key.is_min_excluded ? " above " : " from ") + number_text(key.min);
  }
  if (has_max) {
    text += (has_min && key.is_min_excluded ? ", up to " : " to ") +
            (is_whole ? fmt::format("{:.0f}", key.max) : number_text(key.max));
  }
  return text;
}

Result<double> number_in_range(const ConfigKey& key, const Json& value, bool is_whole) {
  const bool is_right_type = is_whole ? value->is_number_integer() : value->is_number();
  const double number = is_right_type ? value->get<double>() : 0.0;
  const bool is_in_range = std::isfinite(number) && number <= key.max &&
                           (key.is_min_excluded ? number > key.min : number >= key.min);
  if (!is_right_type || !is_in_range) {
    return wrong(value, expected_number(key, is_whole));
  }
  return number;
}

Result<std::string> text_of(const ConfigKey& key, const Json& value) {
  if (!value->is_string()) {
    return wrong(value, "a text");
  }
  auto text = value->get<std::string>();
  if (!key.choices.empty() && std::ranges::find(key.choices, text) == key.choices.end()) {
    return wrong(value, fmt::format("one of {}", fmt::join(key.choices, ", ")));
  }
  return text;
}

Result<std::vector<std::string>> list_of(const Json& value) {
  std::vector<std::string> list;
  const bool is_list = value->is_array() && std::ranges::all_of(*value, [](const json& one) {
                         return one.is_string() && !one.get_ref<const std::string&>().empty();
                       });
  if (!is_list) {
    return wrong(value, "a list of texts, none of them empty");
  }
  for (const json& one : *value) {
    list.push_back(one.get<std::string>());
  }
  return list;
}

template <class T>
Result<T> converted(const ConfigKey& key, const Json& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return text_of(key, value);
  } else if constexpr (std::is_same_v<T, double>) {
    return number_in_range(key, value, false);
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    INGLE_TRY(const double number, number_in_range(key, value, true));
    return static_cast<std::int64_t>(number);
  } else if constexpr (std::is_same_v<T, bool>) {
    return value->is_boolean() ? Result<bool>(value->get<bool>()) : wrong(value, "true or false");
  } else {
    return list_of(value);
  }
}

template <class Number>
std::optional<Number> parsed(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stopped == end ? std::optional(number) : std::nullopt;
}

std::optional<bool> parsed_switch(std::string_view text) {
  if (text == "on" || text == "true" || text == "yes" || text == "1") {
    return true;
  }
  if (text == "off" || text == "false" || text == "no" || text == "0") {
    return false;
  }
  return std::nullopt;
}

void append_words(json& list, std::string_view text, bool is_split) {
  while (is_split) {
    const auto comma = text.find(',');
    if (comma == std::string_view::npos) {
      break;
    }
    list.push_back(std::string(text.substr(0, comma)));
    text.remove_prefix(comma + 1);
  }
  list.push_back(std::string(text));
}

/// What the text says as a value of the type, or the text itself, which `set_value` then refuses.
template <class T>
json value_of_text(const ConfigKey& key, std::span<const std::string> texts) {
  const std::string& last = texts.back();
  if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    json list = json::array();
    for (const std::string& text : texts) {
      append_words(list, text, key.is_split);
    }
    return list;
  } else if constexpr (std::is_same_v<T, bool>) {
    const auto value = parsed_switch(last);
    return value ? json(*value) : json(last);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return last;
  } else {
    const auto value = parsed<T>(last);
    return value ? json(*value) : json(last);
  }
}

}  // namespace

std::string ConfigKey::variable() const {
  std::string result = "INGLE_" + std::string(short_name());
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return result;
}

std::string_view ConfigKey::table() const {
  const auto dot = name.find('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

std::string_view ConfigKey::short_name() const {
  const auto dot = name.find('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

std::span<const ConfigKey> config_keys() { return kKeys; }

const ConfigKey* find_config_key(std::string_view name) {
  const auto found = std::ranges::find(kKeys, name, &ConfigKey::name);
  return found == kKeys.end() ? nullptr : &*found;
}

std::optional<std::string> nearest_config_key(std::string_view name) {
  const auto dot = name.rfind('.');
  const std::string last(dot == std::string_view::npos ? name : name.substr(dot + 1));
  std::vector<std::string> names;
  std::vector<std::string> short_names;
  for (const ConfigKey& key : kKeys) {
    names.emplace_back(key.name);
    short_names.emplace_back(key.short_name());
  }
  const auto same = std::ranges::find(short_names, last);
  if (same != short_names.end()) {
    return names[static_cast<std::size_t>(same - short_names.begin())];
  }
  if (const auto nearest = nearest_name(last, short_names)) {
    const auto place = std::ranges::find(short_names, *nearest) - short_names.begin();
    return names[static_cast<std::size_t>(place)];
  }
  return nearest_name(name, names);
}

Result<void> set_value(Config& config, const ConfigKey& key, const Json& value) {
  return std::visit(
      [&]<class Member>(Member member) -> Result<void> {
        using T = typename ValueOf<Member>::type;
        INGLE_TRY(config.*member, converted<T>(key, value));
        return {};
      },
      key.member);
}

Result<void> set_text(Config& config, const ConfigKey& key, std::span<const std::string> texts) {
  const json value = std::visit(
      [&]<class Member>(Member /*member*/) {
        return value_of_text<typename ValueOf<Member>::type>(key, texts);
      },
      key.member);
  auto set = set_value(config, key, Json(value));
  if (!set && value.is_string() &&
      std::holds_alternative<std::optional<bool> Config::*>(key.member)) {
    return wrong(Json(value), "on or off");
  }
  return set;
}

Json value_of(const Config& config, const ConfigKey& key) {
  return std::visit(
      [&](auto member) { return (config.*member) ? Json(json(*(config.*member))) : Json(); },
      key.member);
}

void unset(Config& config, const ConfigKey& key) {
  std::visit([&](auto member) { (config.*member).reset(); }, key.member);
}

}  // namespace ingle::cli
