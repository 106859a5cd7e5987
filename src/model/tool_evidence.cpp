#include "model/tool_evidence.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "model/question_words.h"
#include "model/said_numbers.h"

namespace ingle {
namespace {

bool is_number(const json& schema) {
  const auto type = schema.is_object() ? schema.find("type") : schema.end();
  return schema.is_object() && type != schema.end() && (*type == "integer" || *type == "number");
}

}  // namespace

std::size_t required_numbers(const json& schema) {
  const json required = schema.value("required", json::array());
  const json properties = schema.value("properties", json::object());
  std::size_t count = 0;
  for (const json& name : required) {
    if (name.is_string() && properties.is_object() &&
        properties.contains(name.get<std::string>())) {
      count += static_cast<std::size_t>(is_number(properties[name.get<std::string>()]));
    }
  }
  return count;
}

ToolEvidence evidence_for(const ToolSpec& tool, std::string_view question) {
  const std::set<std::string> said = words_of(question);
  const std::set<std::string> name = words_of(tool.name);
  const std::set<std::string> description = words_of(tool.description);
  std::set<std::string> known = name;
  known.insert(description.begin(), description.end());
  ToolEvidence evidence{.name_said = share_of(name, said),
                        .description_said = share_of(description, said)};
  const json& schema = *tool.parameters;
  if (schema.is_object()) {
    const json properties = schema.value("properties", json::object());
    for (const auto& [parameter, part] : properties.items()) {
      known.merge(words_of(parameter));
      if (part.is_object() && part.contains("description") && part["description"].is_string()) {
        known.merge(words_of(part["description"].get_ref<const std::string&>()));
      }
    }
    const std::size_t given = said_numbers(question).all.size();
    const std::size_t needed = required_numbers(schema);
    evidence.missing_numbers = needed > given ? static_cast<double>(needed - given) : 0.0;
  }
  evidence.question_known = share_of(said, known);
  return evidence;
}

std::vector<ToolCandidate> most_evident(std::span<const ToolSpec> tools, std::string_view question,
                                        std::int32_t count) {
  std::vector<ToolCandidate> candidates;
  std::vector<std::size_t> order;
  for (const ToolSpec& tool : tools) {
    order.push_back(candidates.size());
    candidates.push_back({tool, evidence_for(tool, question)});
  }
  const auto kept = static_cast<std::size_t>(std::max(count, 0));
  if (kept == 0 || kept >= candidates.size()) {
    return candidates;
  }
  std::ranges::sort(order, [&candidates](std::size_t a, std::size_t b) {
    const double known_a = candidates[a].evidence.question_known;
    const double known_b = candidates[b].evidence.question_known;
    return known_a != known_b ? known_a > known_b : a < b;
  });
  order.resize(kept);
  std::ranges::sort(order);
  std::vector<ToolCandidate> best;
  for (const std::size_t i : order) {
    best.push_back(std::move(candidates[i]));
  }
  return best;
}

double choice_bonus(const ToolEvidence& evidence, const ToolStrategy& strategy) {
  return strategy.shared_words_weight * evidence.question_known -
         strategy.missing_number_choice * evidence.missing_numbers;
}

double fit_bonus(const ToolEvidence& evidence, const ToolStrategy& strategy) {
  return strategy.name_weight * evidence.name_said +
         strategy.description_weight * evidence.description_said -
         strategy.missing_number_weight * evidence.missing_numbers;
}

}  // namespace ingle
