#include "model/copied_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <unordered_set>
#include <utility>

#include "model/said_texts.h"

namespace ingle {
namespace {

bool has_any(const json& schema, std::span<const char* const> keys) {
  return std::ranges::any_of(keys, [&](const char* key) { return schema.contains(key); });
}

bool has_type(const json& schema, std::string_view name) {
  const auto type = schema.find("type");
  return type != schema.end() && type->is_string() && *type == name;
}

bool is_free_string(const json& schema) {
  constexpr std::array kBinding{"enum", "const", "pattern", "format", "minLength", "maxLength"};
  return has_type(schema, "string") && !has_any(schema, kBinding);
}

bool is_free_number(const json& schema) {
  constexpr std::array kBinding{
      "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"};
  return (has_type(schema, "integer") || has_type(schema, "number")) && !has_any(schema, kBinding);
}

json as_json(double value) {
  constexpr double kExact = 9e15;
  return value == std::floor(value) && std::abs(value) < kExact
             ? json(static_cast<std::int64_t>(value))
             : json(value);
}

class Limiter {
 public:
  explicit Limiter(const SaidValues& values) : values_(values) {}

  // As deep as the schema, whose nesting was bounded when it was parsed.
  void limit(json& schema) const {
    if (!schema.is_object()) {
      return;
    }
    if (is_free_string(schema)) {
      set_enum(schema, json(values_.texts));
    } else if (is_free_number(schema)) {
      if (values_.numbers.all.size() >= values_.numbers_wanted) {
        set_enum(schema, numbers(has_type(schema, "integer")));
      }
    } else if (has_type(schema, "array") && schema.contains("items")) {
      limit_list(schema);
    }
    if (const auto properties = schema.find("properties");
        properties != schema.end() && properties->is_object()) {
      for (auto& property : *properties) {
        limit(property);
      }
    }
  }

 private:
  static void set_enum(json& schema, json values) {
    if (!values.empty()) {
      schema["enum"] = std::move(values);
    }
  }

  /// A percentage is a fraction where fractions can be.
  [[nodiscard]] json numbers(bool is_integer) const {
    const auto& all = values_.numbers.all;
    const auto alone =
        static_cast<std::size_t>(std::ranges::count(all, false, &SaidNumber::is_in_list));
    const bool skips_lists = alone > 0 && alone >= values_.numbers_wanted;
    json result = json::array();
    for (const SaidNumber& number : all) {
      if (skips_lists && number.is_in_list) {
        continue;
      }
      const double percent = number.value / 100;
      const json value = as_json(number.is_percent && !is_integer ? percent : number.value);
      if ((!is_integer || value.is_number_integer()) &&
          std::ranges::find(result, value) == result.end()) {
        result.push_back(value);
      }
    }
    return result;
  }

  void limit_list(json& schema) const {
    json& items = schema["items"];
    json whole = json::array();
    if (items.is_object() && is_free_number(items)) {
      for (const std::vector<double>& list : values_.numbers.lists) {
        json numbers = json::array();
        std::ranges::transform(list, std::back_inserter(numbers), as_json);
        whole.push_back(std::move(numbers));
      }
    } else if (items.is_object() && is_free_string(items)) {
      whole = json(values_.lists);
    }
    if (whole.empty()) {
      limit(items);
    } else {
      schema = json{{"enum", std::move(whole)}};
    }
  }

  const SaidValues& values_;
};

}  // namespace

std::vector<std::string> spans_within(const std::vector<std::string>& spans,
                                      std::string_view text) {
  const std::vector<std::string> others = word_spans(text);
  const std::unordered_set<std::string> there(others.begin(), others.end());
  std::vector<std::string> common;
  std::ranges::copy_if(spans, std::back_inserter(common),
                       [&](const std::string& span) { return there.contains(span); });
  return common;
}

Json limited_to(const Json& schema, const SaidValues& values) {
  json limited = *schema;
  Limiter(values).limit(limited);
  return Json(std::move(limited));
}

}  // namespace ingle
