#include "model/said_parameters.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "model/envelope.h"
#include "model/question_words.h"
#include "model/said_numbers.h"

namespace ingle {
namespace {

constexpr double kNumberShare = 0.5;  // Of the words of a name.
constexpr double kSwitchShare = 0.67;

std::string type_of(const json& schema) {
  const auto type = schema.find("type");
  return type != schema.end() && type->is_string() ? type->get<std::string>() : std::string();
}

/// The values of an enum of texts, or of a list's elements, that were said, but for the one that
/// holds anyway.
json said_values(const json& schema, std::string_view question) {
  json said = json::array();
  if (const auto items = schema.find("items"); items != schema.end() && items->is_object()) {
    return said_values(*items, question);
  }
  const auto values = schema.find("enum");
  if (values == schema.end() || !values->is_array()) {
    return said;
  }
  const json fallback = schema.value("default", json());
  for (const json& value : *values) {
    if (value.is_string() && value != fallback && value.get_ref<const std::string&>().size() > 1 &&
        says(question, value.get_ref<const std::string&>())) {
      said.push_back(value);
    }
  }
  return said;
}

class Question {
 public:
  Question(std::string_view text, std::size_t numbers_needed)
      : text_(text),
        words_(words_of(text)),
        has_spare_numbers_(said_numbers(text).all.size() > numbers_needed) {}

  [[nodiscard]] bool speaks_of(const std::string& name, const json& schema) const {
    const double share = share_of(words_of(name), words_);
    const std::string type = type_of(schema);
    if (schema.contains("enum") || type == "array") {
      return !said_values(schema, text_).empty();
    }
    if (type == "integer" || type == "number") {
      return has_spare_numbers_ && share >= kNumberShare;
    }
    return type == "boolean" ? share >= kSwitchShare : type == "string" && share >= 1.0;
  }

  /// The switch is spoken of, and nothing is denied.
  [[nodiscard]] bool means_yes(const std::string& name) const {
    constexpr std::array<std::string_view, 7> kNo{"no",      "not",   "without", "don't",
                                                  "exclude", "never", "false"};
    return share_of(words_of(name), words_) >= kSwitchShare &&
           std::ranges::none_of(kNo, [this](std::string_view no) { return says(text_, no); });
  }

 private:
  std::string_view text_;
  std::set<std::string> words_;
  bool has_spare_numbers_;
};

bool is_number(const json& schema) {
  return schema.is_object() && (type_of(schema) == "integer" || type_of(schema) == "number");
}

}  // namespace

Json said_parameters(const Json& schema, std::string_view question) {
  json result = *required_only(schema);
  if (!result.is_object() || !result.contains("properties") || !result["properties"].is_object()) {
    return schema;
  }
  const json& all = schema->at("properties");
  json& kept = result["properties"];
  std::size_t numbers_needed = 0;
  for (const json& part : kept) {
    numbers_needed += static_cast<std::size_t>(is_number(part));
  }
  const Question asked(question, numbers_needed);
  for (const auto& [name, part] : all.items()) {
    if (!kept.contains(name) && part.is_object() && asked.speaks_of(name, part)) {
      kept[name] = part;
      result["required"].push_back(name);
    }
  }
  for (const auto& [name, part] : all.items()) {
    if (kept.contains(name) && part.is_object() && type_of(part) == "boolean" &&
        asked.means_yes(name)) {
      kept[name]["enum"] = json{true};
    }
  }
  for (json& part : kept) {
    if (json said = part.is_object() ? said_values(part, question) : json::array(); !said.empty()) {
      part["enum"] = part.contains("items") ? json::array({std::move(said)}) : std::move(said);
    }
  }
  return result;
}

}  // namespace ingle
