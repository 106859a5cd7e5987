#include "ingle/core/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "ingle/core/result.h"

namespace ingle {
namespace {

const json& null_json() {
  static const json kNull;
  return kNull;
}

Error invalid_json(std::size_t offset, std::string_view cause) {
  return {ErrorCode::kInvalidArgument, "json_invalid",
          fmt::format("not valid JSON at byte {}: {}", offset, cause), json{{"offset", offset}}};
}

/// What must hold before the parser may see `text`: bounded size and nesting, and no NUL between
/// tokens, which the parser would take for the end. Anything else wrong is left to the parser; up
/// to the first syntax error the two agree on what is inside a string.
Result<void> check_before_parsing(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return Error{
        ErrorCode::kInvalidArgument, "json_too_large",
        fmt::format("the JSON text has {} bytes; the limit is {}", text.size(), limits.max_bytes),
        json{{"bytes", text.size()}, {"max_bytes", limits.max_bytes}}};
  }
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > limits.max_depth) {
        return Error{ErrorCode::kInvalidArgument, "json_too_deep",
                     fmt::format("the JSON text is nested deeper than {} levels at byte {}",
                                 limits.max_depth, i),
                     json{{"offset", i}, {"max_depth", limits.max_depth}}};
      }
    } else if (c == ']' || c == '}') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == '\0') {
      return invalid_json(i, "a NUL byte between tokens");
    }
  }
  return {};
}

/// Accepts everything and keeps where and why the parser stopped.
class ErrorFinder final : public nlohmann::json_sax<json> {
 public:
  [[nodiscard]] Error error() const { return error_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& exception) override {
    // The position counts the bytes read, so the last of them is the one that does not fit.
    error_ = invalid_json(position > 0 ? position - 1 : 0, cause_of(exception));
    return false;
  }

 private:
  /// The parser's explanation without its position and without the text that it quotes.
  static std::string cause_of(const nlohmann::detail::exception& exception) {
    constexpr std::string_view kStart = "syntax error";
    const std::string_view what = exception.what();
    const std::size_t start = what.find(kStart);
    if (start == std::string_view::npos) {
      return "a number is out of range";
    }
    return std::string(what.substr(start, what.find("; last read") - start));
  }

  Error error_ = invalid_json(0, "syntax error");
};

/// What is left to visit of one array or object.
struct Level {
  json::const_iterator next;
  json::const_iterator end;
};

/// The library's writer calls itself for each level; up to here it may.
constexpr std::size_t kMaxRecursion = 1000;

/// By the library.
std::string dump_shallow(const json& value) {
  constexpr int kCompact = -1;
  return value.dump(kCompact, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

/// The same text as the library's, for any nesting.
std::string dump_deep(const json& root) {
  struct Open {
    const json* value;
    json::const_iterator next;
  };
  std::string out;
  std::vector<Open> levels;
  const auto enter = [&](const json& value) {
    if (value.is_structured()) {
      out += value.is_array() ? '[' : '{';
      levels.push_back({&value, value.begin()});
    } else {
      out += dump_shallow(value);
    }
  };
  enter(root);
  while (!levels.empty()) {
    Open& open = levels.back();
    if (open.next == open.value->end()) {
      out += open.value->is_array() ? ']' : '}';
      levels.pop_back();
      continue;
    }
    if (open.next != open.value->begin()) {
      out += ',';
    }
    if (open.value->is_object()) {
      out += dump_shallow(open.next.key()) + ':';
    }
    const json& inner = *open.next;
    ++open.next;
    enter(inner);
  }
  return out;
}

}  // namespace

Json::Json() noexcept = default;
Json::Json(const json& value) : value_(value.is_null() ? nullptr : new json(value)) {}
Json::Json(json&& value) : value_(value.is_null() ? nullptr : new json(std::move(value))) {}
Json::Json(const Json& other) : value_(other.is_null() ? nullptr : new json(*other)) {}
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) {
  if (this != &other) {
    *this = Json(other);
  }
  return *this;
}
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

const json& Json::operator*() const { return value_ ? *value_ : null_json(); }

json& Json::operator*() {
  if (!value_) {
    value_ = std::make_unique<json>();
  }
  return *value_;
}

const json* Json::operator->() const { return &**this; }
json* Json::operator->() { return &**this; }

bool Json::is_null() const { return !value_ || value_->is_null(); }

bool Json::operator==(const Json& other) const { return **this == *other; }
bool Json::operator==(const json& other) const { return **this == other; }

std::string Json::dump() const {
  return json_depth(*this) > kMaxRecursion ? dump_deep(**this) : dump_shallow(**this);
}

void to_json(json& out, const Json& value) { out = *value; }

Result<Json> parse_json(std::string_view text, const JsonLimits& limits) {
  INGLE_RETURN_IF_ERROR(check_before_parsing(text, limits));
  try {
    json value = json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!value.is_discarded()) {
      return Json(std::move(value));
    }
    ErrorFinder finder;
    json::sax_parse(text, &finder);
    return finder.error();
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal, "json_parser_failed", exception.what(), {}};
  }
}

std::size_t json_depth(const Json& value) {
  std::size_t deepest = 0;
  std::vector<Level> levels;
  const auto enter = [&](const json& inner) {
    levels.push_back({inner.begin(), inner.end()});
    deepest = std::max(deepest, levels.size());
  };
  if (value->is_structured()) {
    enter(*value);
  }
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.end) {
      levels.pop_back();
      continue;
    }
    const json& inner = *level.next;
    ++level.next;
    if (inner.is_structured()) {
      enter(inner);
    }
  }
  return deepest;
}

}  // namespace ingle
