#include "ingle/schema/validator.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace ingle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<SchemaFault> faults_of(const json& schema, const json& value,
                                   std::size_t max_faults = 16) {
  const Result<Validator> validator = Validator::compile(schema);
  if (!validator) {
    ADD_FAILURE() << validator.error().message;
    return {};
  }
  const Result<std::vector<SchemaFault>> faults = validator->validate(value, max_faults);
  if (!faults) {
    ADD_FAILURE() << faults.error().message;
    return {};
  }
  return *faults;
}

std::string only_message(const json& schema, const json& value) {
  const std::vector<SchemaFault> faults = faults_of(schema, value);
  EXPECT_THAT(faults, SizeIs(1)) << value.dump();
  return faults.size() == 1 ? faults[0].message : "";
}

struct Case {
  const char* schema;
  const char* value;
  /// "instance path|schema path|keyword" of each fault.
  std::vector<std::string> faults;
};

const Case kCases[] = {
    {R"({"type":"integer"})", "1", {}},
    {R"({"type":"integer"})", "1.0", {}},
    {R"({"type":"integer"})", "1.5", {"|/type|type"}},
    {R"({"type":["string","null"]})", "null", {}},
    {R"({"type":["string","null"]})", "7", {"|/type|type"}},
    {R"({"enum":["a","b",null]})", "null", {}},
    {R"({"enum":["a","b",null]})", "\"c\"", {"|/enum|enum"}},
    {R"({"const":{"a":[1,2]}})", R"({"a":[1,2.0]})", {}},
    {R"({"const":1})", "true", {"|/const|const"}},
    {R"({"minimum":3,"maximum":5})", "3", {}},
    {R"({"minimum":3,"maximum":5})", "2", {"|/minimum|minimum"}},
    {R"({"minimum":3,"maximum":5})", "6", {"|/maximum|maximum"}},
    {R"({"exclusiveMinimum":3})", "3", {"|/exclusiveMinimum|exclusiveMinimum"}},
    {R"({"exclusiveMaximum":3})", "3", {"|/exclusiveMaximum|exclusiveMaximum"}},
    {R"({"multipleOf":0.01})", "0.07", {}},
    {R"({"multipleOf":3})", "7", {"|/multipleOf|multipleOf"}},
    {R"({"minLength":2,"maxLength":2})", "\"\u00e4\u00f6\"", {}},
    {R"({"minLength":2})", "\"a\"", {"|/minLength|minLength"}},
    {R"({"maxLength":2})", "\"abc\"", {"|/maxLength|maxLength"}},
    {R"({"pattern":"^a+$"})", "\"aab\"", {"|/pattern|pattern"}},
    {R"({"format":"date"})", "\"no date\"", {}},
    {R"({"items":{"type":"integer"}})",
     R"([1,"a",2,null])",
     {"/1|/items/type|type", "/3|/items/type|type"}},
    {R"({"prefixItems":[{"type":"string"}],"items":false})", R"(["a",1])", {"/1|/items|false"}},
    {R"({"minItems":1})", "[]", {"|/minItems|minItems"}},
    {R"({"maxItems":1})", "[1,2]", {"|/maxItems|maxItems"}},
    {R"({"uniqueItems":true})", "[1,2,1]", {"|/uniqueItems|uniqueItems"}},
    {R"({"contains":{"const":1}})", "[2]", {"|/contains|contains"}},
    {R"({"contains":{"const":1},"minContains":2})", "[1]", {"|/minContains|minContains"}},
    {R"({"properties":{"a":{"type":"integer"}}})", R"({"a":"x"})", {"/a|/properties/a/type|type"}},
    {R"({"properties":{"a/b~c":{"type":"integer"}}})",
     R"({"a/b~c":"x"})",
     {"/a~1b~0c|/properties/a~1b~0c/type|type"}},
    {R"({"required":["a","b"]})", "{}", {"|/required|required", "|/required|required"}},
    {R"({"properties":{"a":{}},"additionalProperties":false})",
     R"({"a":1,"b":2,"c":3})",
     {"|/additionalProperties|additionalProperties"}},
    {R"({"patternProperties":{"^x":{"type":"integer"}}})",
     R"({"xa":"s"})",
     {"/xa|/patternProperties/^x/type|type"}},
    {R"({"propertyNames":{"maxLength":1}})", R"({"ab":1})", {"|/propertyNames|propertyNames"}},
    {R"({"minProperties":1})", "{}", {"|/minProperties|minProperties"}},
    {R"({"maxProperties":0})", R"({"a":1})", {"|/maxProperties|maxProperties"}},
    {R"({"dependentRequired":{"a":["b"]}})",
     R"({"a":1})",
     {"|/dependentRequired|dependentRequired"}},
    {R"({"dependentSchemas":{"a":{"required":["b"]}}})",
     R"({"a":1})",
     {"|/dependentSchemas/a/required|required"}},
    {R"({"not":{"type":"string"}})", "\"s\"", {"|/not|not"}},
    {R"({"anyOf":[{"type":"string"},{"type":"integer"}]})", "null", {"|/anyOf|anyOf"}},
    {R"({"oneOf":[{"minimum":1},{"maximum":3}]})", "2", {"|/oneOf|oneOf"}},
    {R"({"allOf":[{"minimum":5},{"maximum":1}]})",
     "3",
     {"|/allOf/0/minimum|minimum", "|/allOf/1/maximum|maximum"}},
    {R"({"if":{"type":"string"},"then":{"minLength":2},"else":{"minimum":2}})",
     "1",
     {"|/else/minimum|minimum"}},
    {R"({"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}})", "1", {"|/$defs/a/type|type"}},
    {R"({"$ref":"#name","$defs":{"a":{"$anchor":"name","type":"string"}}})",
     "1",
     {"|/$defs/a/type|type"}},
    {R"({"unevaluatedProperties":false,"allOf":[{"properties":{"a":{}}}]})",
     R"({"a":1,"b":1})",
     {"|/unevaluatedProperties|unevaluatedProperties"}},
    {R"({"prefixItems":[true],"unevaluatedItems":false})",
     "[1,2]",
     {"|/unevaluatedItems|unevaluatedItems"}},
    {"true", "1", {}},
    {"false", "1", {"||false"}},
    // Other drafts.
    {R"({"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],
         "additionalItems":false})",
     R"(["a",1])",
     {"|/additionalItems|additionalItems"}},
    {R"({"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]}})",
     R"({"a":1})",
     {"|/dependencies|dependencies"}},
    {R"({"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,
         "exclusiveMinimum":true})",
     "1",
     {"|/exclusiveMinimum|exclusiveMinimum"}},
};

TEST(Validator, FindsFaultsWithTheirPaths) {
  for (const Case& c : kCases) {
    std::vector<std::string> found;
    for (const SchemaFault& fault : faults_of(json::parse(c.schema), json::parse(c.value))) {
      found.push_back(fault.instance_path + "|" + fault.schema_path + "|" + fault.keyword);
      EXPECT_NE(fault.message, "");
    }
    EXPECT_EQ(found, c.faults) << c.schema << " with " << c.value;
  }
}

TEST(Validator, MessagesSayWhatToDo) {
  const json object = json::parse(
      R"({"properties":{"path":{"type":"string"},"mode":{"enum":["read","write"]}},
          "required":["path"],"additionalProperties":false})");
  EXPECT_EQ(only_message(object, json::object()), "the required property \"path\" is missing");
  EXPECT_EQ(only_message(object, {{"path", "x"}, {"file", 1}}),
            "unexpected property \"file\"; allowed: \"mode\", \"path\"");
  EXPECT_EQ(only_message(object, {{"path", 5}}), "expected string; got the number 5");
  EXPECT_EQ(only_message(object, {{"path", ""}, {"mode", "run"}}),
            "must be one of \"read\", \"write\"; got \"run\"");
  EXPECT_EQ(only_message({{"minimum", 3}}, 1), "must be at least 3; got 1");
  EXPECT_EQ(only_message({{"maxLength", 1}}, "abc"), "must have at most 1 character; got 3");
  EXPECT_EQ(only_message({{"minItems", 2}}, json::array()), "must have at least 2 items; got 0");
  EXPECT_EQ(only_message({{"type", {"string", "null"}}}, true),
            "expected null or string; got the boolean true");
  EXPECT_EQ(only_message({{"const", "x"}}, "y"), "must be \"x\"; got \"y\"");
  EXPECT_EQ(only_message({{"pattern", "^a$"}}, "b"),
            "must match the regular expression \"^a$\"; got \"b\"");
}

TEST(Validator, AlternativesNameTheNearest) {
  const json schema = json::parse(
      R"({"anyOf":[{"type":"string"},
          {"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}]})");
  EXPECT_EQ(only_message(schema, {{"a", "x"}}),
            "matches none of the 2 alternatives; nearest is number 2: at /a: expected integer; got "
            "the string \"x\"");
  EXPECT_EQ(only_message(json::parse(R"({"oneOf":[{"minimum":1},{"type":"string"},
                                                  {"maximum":3}]})"),
                         2),
            "matches more than one of the 3 alternatives (1, 3); it must match exactly one");
}

TEST(Validator, LongValuesAreCut) {
  const std::string message = only_message({{"type", "integer"}}, std::string(1000, 'x'));
  EXPECT_THAT(message, HasSubstr("xxx..."));
  EXPECT_LT(message.size(), 140U);
  std::string umlauts;
  for (int i = 0; i < 100; ++i) {
    umlauts += "a\u00e4";
  }
  EXPECT_LT(only_message({{"type", "integer"}}, {{umlauts, umlauts}}).size(), 140U);
  json options = json::array();
  for (int i = 0; i < 1000; ++i) {
    options.push_back(fmt::format("option {}", i));
  }
  EXPECT_THAT(only_message({{"enum", options}}, "x"), HasSubstr("and 980 more"));
}

TEST(Validator, FaultsAreOrderedAndCapped) {
  const json schema = json::parse(R"({"items":{"type":"integer"},"maxItems":2})");
  const json value = {"a", "b", "c", "d"};
  const std::vector<SchemaFault> all = faults_of(schema, value);
  ASSERT_THAT(all, SizeIs(5));
  EXPECT_EQ(all[0].instance_path, "");
  EXPECT_EQ(all[1].instance_path, "/0");
  EXPECT_EQ(all[4].instance_path, "/3");
  EXPECT_THAT(faults_of(schema, value, 2), ElementsAre(all[0], all[1]));
  EXPECT_THAT(faults_of(schema, value, 0), IsEmpty());
}

TEST(Validator, DescribesALineForEachFault) {
  EXPECT_EQ(describe({}), "");
  EXPECT_EQ(describe({{"", "/required", "required", "one"}, {"/a/0", "/x", "x", "two"}}),
            "at the top level: one\nat /a/0: two");
}

void expect_error(const json& schema, ErrorCode code, const std::string& reason,
                  const std::string& text) {
  const Result<Validator> validator = Validator::compile(schema);
  ASSERT_FALSE(validator.ok()) << schema.dump();
  EXPECT_EQ(validator.error().code, code);
  EXPECT_EQ(validator.error().reason, reason);
  EXPECT_THAT(validator.error().message, HasSubstr(text));
}

TEST(Validator, RefusesWhatIsNoSchema) {
  const auto expect_invalid = [](const char* schema, const std::string& text) {
    expect_error(json::parse(schema), ErrorCode::kInvalidArgument, "schema_invalid", text);
  };
  expect_invalid("1", "expected");
  expect_invalid(R"({"type":"strin"})", "/type");
  expect_invalid(R"({"properties":{"a":{"minLength":-1}}})", "/properties/a/minLength");
  expect_invalid(R"({"pattern":"["})", "not a regular expression");
  expect_invalid(R"({"$ref":"#/$defs/missing"})", "missing");
  expect_invalid(R"({"$ref":"#missing"})", "missing");
}

TEST(Validator, FetchesNothing) {
  expect_error({{"$ref", "https://example.com/schema.json"}}, ErrorCode::kUnsupported,
               "schema_unsupported", "https://example.com/schema.json");
  expect_error({{"$ref", "file:///etc/passwd"}}, ErrorCode::kUnsupported, "schema_unsupported",
               "/etc/passwd");
  expect_error({{"$schema", "https://example.com/draft"}}, ErrorCode::kUnsupported,
               "schema_unsupported", "https://example.com/draft");
}

TEST(Validator, KnowsTheMetaSchemas) {
  const json schema = {{"$ref", "https://json-schema.org/draft/2020-12/schema"}};
  EXPECT_THAT(faults_of(schema, {{"type", "object"}}), IsEmpty());
  EXPECT_FALSE(faults_of(schema, {{"type", 1}}).empty());
}

json nested(std::size_t depth) {
  json value = 1;
  for (std::size_t i = 0; i < depth; ++i) {
    value = json::array({std::move(value)});
  }
  return value;
}

TEST(Validator, BoundsSizeAndNesting) {
  expect_error({{"description", std::string(std::size_t{2} << 20U, 'x')}},
               ErrorCode::kInvalidArgument, "schema_too_large", "1048576");
  expect_error({{"default", nested(128)}}, ErrorCode::kInvalidArgument, "schema_too_deep", "128");
  expect_error({{"default", nested(5'000)}}, ErrorCode::kInvalidArgument, "schema_too_deep", "128");
  EXPECT_THAT(faults_of({{"default", nested(127)}}, nested(128)), IsEmpty());
  const Result<Validator> any = Validator::compile(json(true));
  ASSERT_TRUE(any.ok());
  EXPECT_EQ(any->validate(nested(129)).error().reason, "json_too_deep");
}

TEST(Validator, SurvivesReferencesInACircle) {
  EXPECT_THAT(faults_of(json::parse(R"({"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},
                                       "b":{"$ref":"#/$defs/a"}}})"),
                        1),
              IsEmpty());
  const json list = json::parse(
      R"({"type":"object","properties":{"next":{"$ref":"#"}},"additionalProperties":false})");
  EXPECT_THAT(faults_of(list, json::parse(R"({"next":{"next":{}}})")), IsEmpty());
  EXPECT_THAT(faults_of(list, json::parse(R"({"next":{"next":1}})")), SizeIs(1));
}

/// a0 -> a1 -> ... -> integer.
json chain(int length, const std::string& keyword) {
  json definitions;
  for (int i = 0; i < length; ++i) {
    const json reference = {{"$ref", fmt::format("#/$defs/a{}", i + 1)}};
    definitions[fmt::format("a{}", i)] = {{keyword, {reference, {{"const", 5}}}}};
  }
  definitions[fmt::format("a{}", length)] = {{"type", "integer"}};
  return {{"$defs", std::move(definitions)}, {"$ref", "#/$defs/a0"}};
}

TEST(Validator, LongChainsOfReferencesDoNotOverflowTheStack) {
  for (const char* keyword : {"anyOf", "allOf", "oneOf"}) {
    const Result<Validator> validator = Validator::compile(chain(3'000, keyword));
    ASSERT_TRUE(validator.ok()) << validator.error().message;
    const auto faults = validator->validate(json("x"));
    ASSERT_TRUE(faults.ok()) << faults.error().message;
    EXPECT_FALSE(faults->empty());
    // Where the value may be nested as well, the bound is an error.
    const auto deep = validator->validate(nested(128));
    EXPECT_TRUE(deep.ok() || deep.error().reason == "schema_too_complex");
  }
}

TEST(Validator, CatastrophicPatternsEnd) {
  const std::string text = std::string(5000, 'a') + "b";
  for (const char* pattern : {"^(a+)+$", "^(a|aa)*$", "^(?=(a+)+$)(a|a)*\\1c$"}) {
    EXPECT_THAT(only_message({{"pattern", pattern}}, text), HasSubstr("must match")) << pattern;
  }
  EXPECT_THAT(only_message({{"pattern", "^((?=a)a+)+c$"}}, text), HasSubstr("too much work"));
}

TEST(Validator, InvalidUtf8IsReplaced) {
  EXPECT_THAT(faults_of({{"type", "string"}}, "\xff\xfe"), IsEmpty());
  EXPECT_THAT(faults_of({{"description", "\xc3"}}, 1), IsEmpty());
}

TEST(Validator, IsSharedBetweenThreads) {
  const Result<Validator> validator = Validator::compile(json{{"type", "integer"}});
  ASSERT_TRUE(validator.ok());
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([copy = *validator] {
      for (int n = 0; n < 100; ++n) {
        EXPECT_THAT(*copy.validate(json(n)), IsEmpty());
        EXPECT_THAT(*copy.validate(json("x")), SizeIs(1));
      }
    });
  }
}

}  // namespace
}  // namespace ingle
