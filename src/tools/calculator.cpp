#include "ingle/tools/calculator.h"

#include <fmt/format.h>
#include <muParser.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ingle/core/utf8.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxBytes = 1000;
constexpr std::size_t kMaxNesting = 50;
constexpr std::string_view kHint =
    "Write one expression with numbers, + - * / ^, parentheses and functions such as sqrt(2), for "
    "example 2*(3+4).";

using Number = mu::value_type;

Number minimum(const Number* values, int count) {
  return *std::min_element(values, values + count);
}
Number maximum(const Number* values, int count) {
  return *std::max_element(values, values + count);
}
Number sum(const Number* values, int count) {
  Number total = 0;
  for (int i = 0; i < count; ++i) {
    total += values[i];
  }
  return total;
}
Number average(const Number* values, int count) { return sum(values, count) / count; }

/// A parser that knows what the header lists. muParser's own names are dropped: its log is not the
/// one that most people mean, and its _pi has 12 digits.
mu::Parser make_parser() {
  mu::Parser parser;
  parser.ClearFun();
  parser.ClearConst();
  parser.DefineConst("pi", std::numbers::pi);
  parser.DefineConst("e", std::numbers::e);
  parser.DefineOprt(
      "%", [](Number a, Number b) { return std::fmod(a, b); }, mu::prMUL_DIV, mu::oaLEFT);
  parser.DefineFun("sqrt", [](Number x) { return std::sqrt(x); });
  parser.DefineFun("abs", [](Number x) { return std::abs(x); });
  parser.DefineFun("exp", [](Number x) { return std::exp(x); });
  parser.DefineFun("ln", [](Number x) { return std::log(x); });
  parser.DefineFun("log10", [](Number x) { return std::log10(x); });
  parser.DefineFun("log2", [](Number x) { return std::log2(x); });
  parser.DefineFun("sin", [](Number x) { return std::sin(x); });
  parser.DefineFun("cos", [](Number x) { return std::cos(x); });
  parser.DefineFun("tan", [](Number x) { return std::tan(x); });
  parser.DefineFun("asin", [](Number x) { return std::asin(x); });
  parser.DefineFun("acos", [](Number x) { return std::acos(x); });
  parser.DefineFun("atan", [](Number x) { return std::atan(x); });
  parser.DefineFun("floor", [](Number x) { return std::floor(x); });
  parser.DefineFun("ceil", [](Number x) { return std::ceil(x); });
  parser.DefineFun("round", [](Number x) { return std::round(x); });
  parser.DefineFun("min", minimum);
  parser.DefineFun("max", maximum);
  parser.DefineFun("sum", sum);
  parser.DefineFun("avg", average);
  return parser;
}

/// The signs that people write, as the parser wants them; lower case; no '=' at the end.
std::string normalized(std::string_view expression) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kSigns{{
      {"\u00d7", "*"},  // multiplication sign
      {"\u00b7", "*"},  // middle dot
      {"\u00f7", "/"},  // division sign
      {"\u2212", "-"},  // minus sign
      {"**", "^"},
      {"\u00a0", " "},  // no-break space
  }};
  std::string result;
  while (!expression.empty()) {
    const auto* sign = std::ranges::find_if(
        kSigns, [&](const auto& entry) { return expression.starts_with(entry.first); });
    if (sign != kSigns.end()) {
      result += sign->second;
      expression.remove_prefix(sign->first.size());
      continue;
    }
    const char c = expression.front();
    const bool is_space = c == '\t' || c == '\n' || c == '\r';
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : is_space ? ' ' : c;
    expression.remove_prefix(1);
  }
  const std::size_t last = result.find_last_not_of(' ');
  if (last != std::string::npos && result[last] == '=') {
    result.resize(last);
  }
  return result;
}

bool starts_operand(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '.' || c == '(';
}

/// Why the parser should not see `expression`; nullopt if it may.
std::optional<std::string> find_objection(std::string_view expression) {
  constexpr std::string_view kAllowed = "0123456789abcdefghijklmnopqrstuvwxyz+-*/^%()., ";
  std::size_t nesting = 0;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (kAllowed.find(c) == std::string_view::npos) {
      const std::size_t end = i + 1 < expression.size() ? expression.find_first_of(kAllowed, i)
                                                        : std::string_view::npos;
      return fmt::format("\"{}\" is not allowed. {}",
                         truncate_utf8(expression.substr(i, end - i), 20), kHint);
    }
    if (c == '(' && ++nesting > kMaxNesting) {
      return fmt::format(
          "The expression has more than {} parentheses inside each other. Calculate "
          "it in parts.",
          kMaxNesting);
    }
    nesting -= c == ')' && nesting > 0 ? 1 : 0;
    if (c == ',' && nesting == 0) {
      return "A comma can only stand between the arguments of a function. Write numbers without "
             "commas: 1234.5.";
    }
    if (c == '%') {
      const std::size_t next = expression.find_first_not_of(' ', i + 1);
      if (next == std::string_view::npos || !starts_operand(expression[next])) {
        return "% is the remainder of a division, as in 7 % 3. Write 15 percent as 15/100.";
      }
    }
  }
  return std::nullopt;
}

ToolOutcome calculate(std::string_view written) {
  if (written.size() > kMaxBytes) {
    return ToolFailure{fmt::format(
        "The expression is longer than {} characters. Calculate it in parts.", kMaxBytes)};
  }
  const std::string expression = normalized(sanitize_utf8(written));
  if (auto objection = find_objection(expression)) {
    return ToolFailure{*std::move(objection)};
  }
  Number result = 0;
  try {
    mu::Parser parser = make_parser();
    parser.SetExpr(expression);
    int count = 0;
    const Number* const values = parser.Eval(count);
    if (count != 1) {
      return ToolFailure{fmt::format("That is more than one expression. {}", kHint)};
    }
    result = values[0];
  } catch (const mu::ParserError& error) {
    return ToolFailure{
        fmt::format("Cannot calculate \"{}\": {}. {}", expression, error.GetMsg(), kHint)};
  }
  if (!std::isfinite(result)) {
    return ToolFailure{
        "The result is not a number that can be written: look for a division by zero, a root or "
        "logarithm of a negative number, or numbers that are too large."};
  }
  constexpr Number kExactIntegers = 9007199254740992.0;  // 2^53
  if (std::trunc(result) == result && std::abs(result) < kExactIntegers) {
    const auto integer = static_cast<std::int64_t>(result);
    return ToolValue{fmt::format("{}", integer), json(integer), {}};
  }
  // 15 digits are those that a double keeps: 0.1 + 0.2 is 0.3.
  return ToolValue{fmt::format("{:.15g}", result), json(result), {}};
}

}  // namespace

std::shared_ptr<Tool> make_calculator() {
  ToolSpec spec;
  spec.name = "calculator";
  spec.description = "Calculate the value of an arithmetic expression.";
  spec.parameters = json{
      {"type", "object"},
      {"properties",
       {{"expression",
         {{"type", "string"}, {"description", "The expression, such as (2+3)*4 or sqrt(16)."}}}}},
      {"required", json::array({"expression"})},
      {"additionalProperties", false}};
  return make_tool(std::move(spec), {.is_read_only = true, .is_idempotent = true},
                   [](const Call&, const ToolContext&, const Json& arguments) {
                     return calculate(arguments->at("expression").get_ref<const std::string&>());
                   });
}

}  // namespace ingle
