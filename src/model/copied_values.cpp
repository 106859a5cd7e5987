#include "model/copied_values.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <unordered_set>

namespace ingle {
namespace {

constexpr std::size_t kMaxWords = 200;  ///< Of the text.
constexpr std::size_t kMaxSpanWords = 6;
constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kOpening = "\"'([{<`";
constexpr std::string_view kClosing = "\"')]}>`.,;:!?";

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while (words.size() < kMaxWords) {
    at = text.find_first_not_of(kSpaces, at);
    if (at == std::string_view::npos) {
      break;
    }
    const std::size_t end = std::min(text.find_first_of(kSpaces, at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::string_view without_punctuation(std::string_view text) {
  const auto first = text.find_first_not_of(kOpening);
  if (first == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(first);
  const auto last = text.find_last_not_of(kClosing);
  return last == std::string_view::npos ? std::string_view{} : text.substr(0, last + 1);
}

bool is_free_string(const json& schema) {
  const auto type = schema.find("type");
  if (type == schema.end() || *type != "string") {
    return false;
  }
  constexpr std::array kBinding{"enum", "const", "pattern", "format", "minLength", "maxLength"};
  return std::ranges::none_of(kBinding, [&](const char* key) { return schema.contains(key); });
}

// As deep as the schema, whose nesting was bounded when it was parsed.
void limit(json& schema, const json& values) {
  if (!schema.is_object()) {
    return;
  }
  if (is_free_string(schema)) {
    schema["enum"] = values;
    return;
  }
  if (const auto properties = schema.find("properties");
      properties != schema.end() && properties->is_object()) {
    for (auto& property : *properties) {
      limit(property, values);
    }
  }
  if (const auto items = schema.find("items"); items != schema.end()) {
    limit(*items, values);
  }
}

}  // namespace

std::vector<std::string> word_spans(std::string_view text) {
  const std::vector<std::string_view> words = words_of(text);
  std::vector<std::string> spans;
  std::unordered_set<std::string> seen;
  for (std::size_t first = 0; first < words.size(); ++first) {
    const std::size_t last = std::min(first + kMaxSpanWords, words.size());
    std::string joined;
    for (std::size_t next = first; next < last; ++next) {
      joined += (joined.empty() ? "" : " ") + std::string(words[next]);
      std::string span(without_punctuation(joined));
      if (!span.empty() && seen.insert(span).second) {
        spans.push_back(std::move(span));
      }
    }
  }
  return spans;
}

std::vector<std::string> spans_within(const std::vector<std::string>& spans,
                                      std::string_view text) {
  const std::vector<std::string> others = word_spans(text);
  const std::unordered_set<std::string> there(others.begin(), others.end());
  std::vector<std::string> common;
  std::ranges::copy_if(spans, std::back_inserter(common),
                       [&](const std::string& span) { return there.contains(span); });
  return common;
}

Json limited_to(const Json& schema, const std::vector<std::string>& values) {
  if (values.empty()) {
    return schema;
  }
  json limited = *schema;
  limit(limited, json(values));
  return Json(std::move(limited));
}

}  // namespace ingle
