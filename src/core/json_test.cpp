#include "ingle/core/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "ingle/core/result.h"

namespace ingle {
namespace {

using namespace std::string_literals;

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

Json parsed(std::string_view text) {
  auto value = parse_json(text);
  EXPECT_TRUE(value.ok()) << text;
  return value.ok() ? *value : Json();
}

Error refusal(std::string_view text, const JsonLimits& limits = {}) {
  const auto value = parse_json(text, limits);
  EXPECT_FALSE(value.ok()) << text;
  return value.ok() ? Error{} : value.error();
}

TEST(Json, DefaultIsNull) {
  const Json value;
  EXPECT_TRUE(value.is_null());
  EXPECT_TRUE(value->is_null());
  EXPECT_EQ(value.dump(), "null");
  EXPECT_EQ(value, Json(json(nullptr)));
}

TEST(Json, NullBecomesAValueWhenWritten) {
  Json value;
  (*value)["a"] = 1;
  EXPECT_FALSE(value.is_null());
  EXPECT_EQ(value.dump(), R"({"a":1})");
}

TEST(Json, CopyIsIndependent) {
  Json value(json{{"a", 1}});
  const Json copy = value;
  (*value)["a"] = 2;
  EXPECT_EQ((*copy)["a"], 1);
  EXPECT_NE(copy, value);
}

TEST(Json, AssigningItselfKeepsTheValue) {
  Json value(json{{"a", 1}});
  const Json& same = value;
  value = same;
  EXPECT_EQ(value.dump(), R"({"a":1})");
}

TEST(Json, AssigningAPartOfItselfKeepsThePart) {
  Json value(json{{"a", json{{"b", 1}}}});
  value = (*value)["a"];
  EXPECT_EQ(value.dump(), R"({"b":1})");
}

TEST(Json, MovedFromIsNull) {
  Json value(json{{"a", 1}});
  const Json other = std::move(value);
  EXPECT_TRUE(value.is_null());  // NOLINT(bugprone-use-after-move): that is the fact.
  EXPECT_EQ(other.dump(), R"({"a":1})");
}

TEST(Json, ComparesWithTheBareValue) {
  const Json value(json{{"a", 1}});
  EXPECT_TRUE(value == (json{{"a", 1}}));
  EXPECT_TRUE((json{{"a", 1}}) == value);
  EXPECT_TRUE(value != json(1));
}

TEST(Json, StandsInsideAnInitializerList) {
  const Json inner(json{{"a", 1}});
  const json outer = {{"inner", inner}, {"none", Json()}};
  EXPECT_EQ(outer.dump(), R"({"inner":{"a":1},"none":null})");
}

TEST(Json, DumpHasItsKeysInByteOrder) {
  EXPECT_EQ(parsed(R"({ "b" : 1, "a" : [ 2 ], "B" : 3 })").dump(), R"({"B":3,"a":[2],"b":1})");
}

TEST(Json, DumpReplacesInvalidUtf8) {
  EXPECT_EQ(Json(json("a\xFFz")).dump(), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(Json(json("cut \xE2\x82")).dump(), "\"cut \xEF\xBF\xBD\"");
}

TEST(Json, DumpWritesNumbersOutsideJsonAsNull) {
  EXPECT_EQ(Json(json(std::numeric_limits<double>::quiet_NaN())).dump(), "null");
  EXPECT_EQ(Json(json(std::numeric_limits<double>::infinity())).dump(), "null");
}

TEST(ParseJson, DumpOfTheParsedTextIsTheSame) {
  for (const std::string_view text :
       {"null", "true", "-7", "18446744073709551615", "0.5", R"("\u0000\n\"\\")", "[]", "{}",
        R"([[],{"a":[1,2,{"b":null}]},"]}"])", "\"\xF0\x9F\x98\x80\""}) {
    EXPECT_EQ(parsed(parsed(text).dump()), parsed(text)) << text;
  }
}

TEST(ParseJson, LastOfTwoEqualKeysWins) {
  EXPECT_EQ(parsed(R"({"a":1,"a":2})").dump(), R"({"a":2})");
}

TEST(ParseJson, InvalidTextIsRefused) {
  for (const std::string& text : {""s,
                                  " "s,
                                  "["s,
                                  "]"s,
                                  "{"s,
                                  "{\"a\"}"s,
                                  "{a:1}"s,
                                  "[1,]"s,
                                  "01"s,
                                  "+1"s,
                                  "1."s,
                                  ".5"s,
                                  "NaN"s,
                                  "Infinity"s,
                                  "-Infinity"s,
                                  "nul"s,
                                  "'a'"s,
                                  "\"a"s,
                                  "\"a\\"s,
                                  "\"\\x\""s,
                                  "\"\\ud800\""s,
                                  "\"tab\there\""s,
                                  "[] []"s,
                                  "// c\n1"s,
                                  "1e999"s,
                                  "\"\xFF\""s,
                                  "\"\xED\xA0\x80\""s}) {
    const Error error = refusal(text);
    EXPECT_EQ(error.code, ErrorCode::kInvalidArgument) << text;
    EXPECT_EQ(error.reason, "json_invalid") << text;
  }
}

TEST(ParseJson, NulIsNotTheEndOfTheText) {
  EXPECT_EQ(refusal("{}\0"s).reason, "json_invalid");
  EXPECT_EQ(refusal("{}\0garbage"s).reason, "json_invalid");
  EXPECT_EQ(refusal("\"a\0b\""s).reason, "json_invalid");
}

TEST(ParseJson, ErrorGivesTheByteOffset) {
  struct Case {
    std::string text;
    std::size_t offset;
  };
  for (const Case& c :
       {Case{"", 0}, Case{"[", 1}, Case{"x", 0}, Case{"[1, x]", 4}, Case{"{\"a\" 1}", 5},
        Case{"[] ]", 3}, Case{"\"a\nb\"", 2}, Case{"{}\0"s, 2}}) {
    const Error error = refusal(c.text);
    EXPECT_EQ((*error.details)["offset"], c.offset) << c.text << ": " << error.message;
    EXPECT_NE(error.message.find("at byte " + std::to_string(c.offset)), std::string::npos)
        << error.message;
  }
}

TEST(ParseJson, ErrorDoesNotQuoteTheText) {
  const Error error = refusal("[\"" + std::string(10'000, 's') + "\n\"]");
  EXPECT_LT(error.message.size(), 200U) << error.message;
  EXPECT_EQ(error.message.find("sss"), std::string::npos) << error.message;
}

TEST(ParseJson, TextBeyondTheSizeLimitIsRefused) {
  EXPECT_TRUE(parse_json("[10]", {.max_bytes = 4}).ok());
  const Error error = refusal("[100]", {.max_bytes = 4});
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error.reason, "json_too_large");
}

TEST(ParseJson, NestingBeyondTheLimitIsRefused) {
  EXPECT_TRUE(parse_json(nested(128)).ok());
  const Error error = refusal(nested(129));
  EXPECT_EQ(error.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(error.reason, "json_too_deep");
  EXPECT_EQ((*error.details)["offset"], 128);
}

TEST(ParseJson, MillionsOfBracketsAreRefusedWithoutRecursion) {
  EXPECT_EQ(refusal(std::string(5'000'000, '[')).reason, "json_too_deep");
}

TEST(ParseJson, NestingLimitOfZeroAllowsOnlyScalars) {
  EXPECT_TRUE(parse_json("1", {.max_depth = 0}).ok());
  EXPECT_EQ(refusal("[]", {.max_depth = 0}).reason, "json_too_deep");
}

TEST(ParseJson, BracketsInsideStringsDoNotNest) {
  EXPECT_TRUE(parse_json(R"(["[[[{{{", "\"[[[", "\\"])", {.max_depth = 1}).ok());
  EXPECT_EQ(refusal(R"(["\\", [1]])", {.max_depth = 1}).reason, "json_too_deep");
  EXPECT_EQ(refusal(R"(["]", [1]])", {.max_depth = 1}).reason, "json_too_deep");
}

TEST(ParseJson, DepthOfTheValueIsTheNestingOfTheText) {
  for (const std::string_view text :
       {"1", "\"[\"", "[]", "{}", "[1,[2]]", R"({"a":{"b":[{}]},"c":[]})", "[[],[[]],[]]"}) {
    const Json value = parsed(text);
    const std::size_t depth = json_depth(value);
    EXPECT_TRUE(parse_json(text, {.max_depth = depth}).ok()) << text;
    if (depth > 0) {
      EXPECT_EQ(refusal(text, {.max_depth = depth - 1}).reason, "json_too_deep") << text;
    }
  }
}

TEST(JsonDepth, CountsArraysAndObjects) {
  EXPECT_EQ(json_depth({}), 0U);
  EXPECT_EQ(json_depth(json(1)), 0U);
  EXPECT_EQ(json_depth(json::array()), 1U);
  EXPECT_EQ(json_depth(json{{"a", json::array({json::object()})}, {"b", 1}}), 3U);
}

TEST(JsonDepth, VeryDeepValuesDoNotRecurse) {
  constexpr std::size_t kDepth = 1'000'000;
  const auto value = parse_json(nested(kDepth), {.max_depth = kDepth});
  ASSERT_TRUE(value.ok());
  EXPECT_EQ(json_depth(*value), kDepth);
}

TEST(Json, NestingOfAnyDepthIsWritten) {
  constexpr std::size_t kLevels = 100'000;
  json value = {{"k\xFF", json::array({1, "a\"", nullptr})}, {"last", json::object()}};
  const std::string inner = Json(value).dump();
  for (std::size_t level = 0; level < kLevels; ++level) {
    json outer = json::array();
    outer.push_back(std::move(value));
    value = std::move(outer);
  }
  const Json deep(std::move(value));
  EXPECT_EQ(json_depth(deep), kLevels + 2);
  EXPECT_EQ(deep.dump(), std::string(kLevels, '[') + inner + std::string(kLevels, ']'));
}

}  // namespace
}  // namespace ingle
