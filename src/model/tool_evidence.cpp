#include "model/tool_evidence.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

namespace ingle {
namespace {

constexpr std::array kCommonWords = {
    "a",  "an",   "the",  "of",   "to",   "in",    "for",  "on",  "and",   "with",  "or",
    "is", "are",  "be",   "by",   "from", "as",    "at",   "it",  "this",  "that",  "i",
    "me", "my",   "you",  "your", "what", "which", "how",  "can", "could", "would", "please",
    "do", "does", "tell", "find", "get",  "give",  "want", "need"};

bool is_letter(char byte) { return std::isalpha(static_cast<unsigned char>(byte)) != 0; }
bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }

std::string stem(std::string word) {
  for (const std::string_view ending : {"ing", "ies", "es", "ed", "s"}) {
    if (word.ends_with(ending) && word.size() >= ending.size() + 3) {
      word.resize(word.size() - ending.size());
      break;
    }
  }
  if (word.ends_with('e') && word.size() > 3) {
    word.pop_back();  // "triangle" as "triangl(es)"
  }
  return word;
}

/// Stems of the words that say something. "camelCase" and "snake_case" are several words.
std::set<std::string> words_of(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (word.size() > 1 && std::ranges::find(kCommonWords, word) == kCommonWords.end()) {
      words.insert(stem(word));
    }
    word.clear();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    const bool is_capital = byte >= 'A' && byte <= 'Z';
    const bool is_hump = is_capital && i > 0 && text[i - 1] >= 'a' && text[i - 1] <= 'z';
    if (!is_letter(byte) || is_hump) {
      end_word();
    }
    if (is_letter(byte)) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
    }
  }
  end_word();
  return words;
}

double share_of(const std::set<std::string>& words, const std::set<std::string>& others) {
  const auto shared =
      std::ranges::count_if(words, [&](const std::string& word) { return others.contains(word); });
  return words.empty() ? 0.0 : static_cast<double>(shared) / static_cast<double>(words.size());
}

std::size_t numbers_in(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool goes_on =
        i > 0 && (is_digit(text[i - 1]) || (text[i - 1] == '.' && i > 1 && is_digit(text[i - 2])));
    count += static_cast<std::size_t>(is_digit(text[i]) && !goes_on);
  }
  return count;
}

bool is_number(const json& schema) {
  const auto type = schema.is_object() ? schema.find("type") : schema.end();
  return schema.is_object() && type != schema.end() && (*type == "integer" || *type == "number");
}

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

}  // namespace

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
    const std::size_t given = numbers_in(question);
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
  std::ranges::stable_sort(order, std::greater(), [&candidates](std::size_t i) {
    return candidates[i].evidence.question_known;
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
