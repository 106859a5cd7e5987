#include "ingle/tools/calculator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstddef>
#include <locale>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingle/testing/property_runs.h"
#include "tools/run_tool_fixture.h"

namespace ingle::tools {
namespace {

using ::testing::HasSubstr;

ToolValue value_of(std::string expression) {
  return tools::value_of(make_calculator(), {{"expression", std::move(expression)}});
}
std::string failure_of(std::string expression) {
  return tools::failure_of(make_calculator(), {{"expression", std::move(expression)}});
}

/// A second implementation: recursive descent over numbers, + - * /, signs and parentheses.
class Oracle {
 public:
  explicit Oracle(std::string_view text) : text_(text) {}

  double sum() {
    double value = product();
    while (peek() == '+' || peek() == '-') {
      const char sign = take();
      const double next = product();
      value = sign == '+' ? value + next : value - next;
    }
    return value;
  }

 private:
  [[nodiscard]] char peek() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  char take() { return text_[position_++]; }

  double product() {
    double value = factor();
    while (peek() == '*' || peek() == '/') {
      const char sign = take();
      const double next = factor();
      value = sign == '*' ? value * next : value / next;
    }
    return value;
  }

  double factor() {
    if (peek() == '-') {
      take();
      return -factor();
    }
    if (peek() == '(') {
      take();
      const double value = sum();
      take();
      return value;
    }
    double value = 0;
    while (peek() >= '0' && peek() <= '9') {
      value = value * 10 + (take() - '0');
    }
    if (peek() == '.') {
      take();
      double digits = 0;
      double scale = 1;
      while (peek() >= '0' && peek() <= '9') {
        digits = digits * 10 + (take() - '0');
        scale *= 10;
      }
      value += digits / scale;
    }
    return value;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

std::string random_expression(std::mt19937& random, int depth) {
  const auto choice = random() % (depth > 0 ? 5 : 2);
  switch (choice) {
    case 0:
      return std::to_string(random() % 1000);
    case 1:
      return std::to_string(random() % 100) + "." + std::to_string(random() % 10);
    case 2:
      return "(" + random_expression(random, depth - 1) + ")";
    case 3:
      return "(-" + random_expression(random, 0) + ")";
    default: {
      constexpr std::string_view kOperators = "+-*/";
      return random_expression(random, depth - 1) + kOperators[random() % kOperators.size()] +
             random_expression(random, depth - 1);
    }
  }
}

TEST(Calculator, AgreesWithASecondImplementation) {
  std::mt19937 random(20260102);
  const auto tool = make_calculator();
  for (int i = 0; i < 3000; ++i) {
    const std::string expression = random_expression(random, 5);
    if (expression.size() > 1000) {
      continue;
    }
    const double expected = Oracle(expression).sum();
    const SessionId session;
    const CallId call_id;
    const Json shared;
    const ToolOutcome outcome =
        tool->run({}, {session, call_id, shared}, json{{"expression", expression}});
    if (!std::isfinite(expected)) {
      EXPECT_TRUE(std::holds_alternative<ToolFailure>(outcome)) << expression;
      continue;
    }
    ASSERT_TRUE(std::holds_alternative<ToolValue>(outcome)) << expression;
    const auto result = std::get<ToolValue>(outcome).value->get<double>();
    ASSERT_NEAR(result, expected, 1e-9 * std::max(1.0, std::abs(expected))) << expression;
  }
}

TEST(Calculator, GivesTheNumberAsAPersonWouldWriteIt) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"1+1", "2"},
      {"7/2", "3.5"},
      {"6/2", "3"},
      {"0.1+0.2", "0.3"},
      {"1/3", "0.333333333333333"},
      {"-0", "0"},
      {"2-5", "-3"},
      {"10^6", "1000000"},
      {"2^53-1", "9007199254740991"},
      {"10^20", "1e+20"},
      {"1e-7", "1e-07"},
      {"1234567.891", "1234567.891"},
      {"19.99*3", "59.97"},
  };
  for (const auto& [expression, text] : cases) {
    EXPECT_EQ(value_of(expression).text, text) << expression;
  }
}

TEST(Calculator, ValueIsANumber) {
  EXPECT_TRUE(value_of("6/2").value->is_number_integer());
  EXPECT_EQ(*value_of("6/2").value, 3);
  EXPECT_EQ(*value_of("7/2").value, 3.5);
}

TEST(Calculator, KnowsPrecedenceAndAssociativity) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"2+3*4", "14"},    {"(2+3)*4", "20"}, {"2-3-4", "-5"},    {"16/4/2", "2"}, {"-2^2", "-4"},
      {"(-2)^2", "4"},    {"2^3^2", "512"},  {"2^-1", "0.5"},    {"3*-2", "-6"},  {"2--2", "4"},
      {"7 % 3", "1"},     {"-7 % 3", "-1"},  {"7.5 % 2", "1.5"}, {"8/2%3", "1"},  {"+5", "5"},
      {"2 * ( 3 )", "6"}, {".5+5.", "5.5"},  {"\t1\n+\r1", "2"},
  };
  for (const auto& [expression, text] : cases) {
    EXPECT_EQ(value_of(expression).text, text) << expression;
  }
}

TEST(Calculator, KnowsFunctionsAndConstants) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"sqrt(16)", "4"},
      {"SQRT(2)", "1.4142135623731"},
      {"sin(pi/2)", "1"},
      {"cos(0)", "1"},
      {"ln(e)", "1"},
      {"log10(1000)", "3"},
      {"log2(8)", "3"},
      {"exp(0)", "1"},
      {"abs(-3)", "3"},
      {"min(3, 1, 2)", "1"},
      {"max(3,1,2)", "3"},
      {"sum(1,2,3,4)", "10"},
      {"avg(1,2)", "1.5"},
      {"round(2.5)", "3"},
      {"floor(-1.5)", "-2"},
      {"ceil(1.2)", "2"},
      {"pi", "3.14159265358979"},
      {"max(1, min(2, 3)) + 1", "3"},
      {"tan(atan(1))", "1"},
      {"acos(1) + asin(0)", "0"},
  };
  for (const auto& [expression, text] : cases) {
    EXPECT_EQ(value_of(expression).text, text) << expression;
  }
}

TEST(Calculator, TakesTheSignsThatPeopleWrite) {
  EXPECT_EQ(value_of("3 \u00d7 4").text, "12");
  EXPECT_EQ(value_of("12 \u00f7 4").text, "3");
  EXPECT_EQ(value_of("5 \u2212 7").text, "-2");
  EXPECT_EQ(value_of("2**10").text, "1024");
  EXPECT_EQ(value_of("2+2 = ").text, "4");
}

TEST(Calculator, RefusesWhatCouldBeMeantInTwoWays) {
  EXPECT_THAT(failure_of("15%"), HasSubstr("15/100"));
  EXPECT_THAT(failure_of("20% + 5"), HasSubstr("15/100"));
  EXPECT_THAT(failure_of("200 * (10%)"), HasSubstr("15/100"));
  EXPECT_THAT(failure_of("1,234 + 1"), HasSubstr("without commas"));
  EXPECT_THAT(failure_of("1+1, 2+2"), HasSubstr("comma"));
  EXPECT_THAT(failure_of("log(10)"), HasSubstr("log"));
}

TEST(Calculator, RefusesWhatIsNotOneNumber) {
  for (const std::string expression :
       {"",       " ",     "=",         "()",       "1 +",   "* 2",    "(1",       "1)",
        "2 3",    "2(3)",  "x + 1",     "foo(2)",   "sqrt",  "sqrt()", "sin(1,2)", "max()",
        "1.2.3",  "1e",    "1,",        ",1",       "(1,2)", "0x1f",   "#1",       "a = 5",
        "1 == 1", "1 < 2", "1 ? 2 : 3", "\"text\"", "1; 2",  "5!",     "_pi",      "[1]",
        "{1}",    "$5",    "1_000",     "\\",       "1&&1",  "\xff",   "\u20ac 5", "1\x01"}) {
    EXPECT_FALSE(failure_of(expression).empty()) << expression;
  }
  EXPECT_FALSE(failure_of(std::string("1\0+1", 4)).empty());
}

TEST(Calculator, RefusalsQuoteTheFaultAndShowAnExample) {
  EXPECT_THAT(failure_of("foo(2)"), HasSubstr("foo"));
  EXPECT_THAT(failure_of("foo(2)"), HasSubstr("2*(3+4)"));
  EXPECT_THAT(failure_of("1 \u20ac"), HasSubstr("\u20ac"));
}

TEST(Calculator, ResultsThatAreNoNumberAreFailures) {
  for (const std::string expression :
       {"1/0", "-1/0", "0/0", "sqrt(-1)", "ln(0)", "ln(-1)", "10^400", "7 % 0", "asin(2)"}) {
    EXPECT_THAT(failure_of(expression), HasSubstr("division by zero")) << expression;
  }
}

TEST(Calculator, LongAndDeepExpressionsAreRefused) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "1" + std::string(depth, ')');
  };
  EXPECT_EQ(value_of(nested(50)).text, "1");
  EXPECT_THAT(failure_of(nested(51)), HasSubstr("in parts"));
  EXPECT_THAT(failure_of(nested(499)), HasSubstr("in parts"));
  EXPECT_THAT(failure_of(std::string(1001, '1')), HasSubstr("in parts"));
  EXPECT_THAT(failure_of(std::string(1'000'000, '(')), HasSubstr("in parts"));
  std::string chain = "1";
  while (chain.size() < 990) {
    chain += "+1";
  }
  EXPECT_EQ(value_of(chain).text, std::to_string((chain.size() + 1) / 2));
  std::string powers = "1";
  while (powers.size() < 990) {
    powers += "^1";
  }
  EXPECT_EQ(value_of(powers).text, "1");
}

TEST(Calculator, AnyTextIsAnsweredAndNothingIsThrown) {
  std::mt19937 random(20260103);
  constexpr std::string_view kParts = "0123456789..+-*/^%(),  esinqrtmaxlogp=?:\"<>!&|_#";
  const auto tool = make_calculator();
  const SessionId session;
  const CallId call_id;
  const Json shared;
  for (int i = 0; i < testing::property_runs(5000); ++i) {
    std::string text(random() % 40, ' ');
    for (char& c : text) {
      c = kParts[random() % kParts.size()];
    }
    EXPECT_NO_THROW(
        static_cast<void>(tool->run({}, {session, call_id, shared}, json{{"expression", text}})))
        << text;
  }
}

/// A decimal comma, as in German, whatever locales the machine has.
class CommaPoint final : public std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

TEST(Calculator, DoesNotDependOnTheLocale) {
  const std::locale before = std::locale::global(std::locale(std::locale(), new CommaPoint));
  EXPECT_EQ(value_of("1.5 * 1000000").text, "1500000");
  EXPECT_EQ(value_of("1.5 + 1").text, "2.5");
  std::locale::global(before);
}

TEST(Calculator, IsReadOnlyAndIdempotent) {
  EXPECT_EQ(make_calculator()->traits(), (ToolTraits{.is_read_only = true, .is_idempotent = true}));
}

}  // namespace
}  // namespace ingle::tools
