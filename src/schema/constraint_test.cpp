#include "ingle/schema/constraint.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "ingle/schema/validator.h"

namespace ingle {
namespace {

using testing::HasSubstr;

constexpr Token kEnd = 256;
constexpr Token kOtherEnd = 257;
constexpr Token kSpecial = 258;
constexpr std::size_t kTokens = 259;

/// A token for each byte, then two that end the output, then one that does neither.
TokenTable byte_tokens() {
  std::vector<std::string> bytes;
  for (int byte = 0; byte < 256; ++byte) {
    bytes.emplace_back(1, static_cast<char>(byte));
  }
  bytes.resize(kTokens);
  const std::vector<Token> ends{kEnd, kOtherEnd};
  Result<TokenTable> table = TokenTable::create(bytes, ends);
  EXPECT_TRUE(table.ok());
  return *table;
}

Result<Constraint> compile(ConstraintKind kind, const std::string& text) {
  return Constraint::compile(byte_tokens(), {.kind = kind, .text = text});
}

Result<Constraint> compile_schema(const std::string& text) {
  return compile(ConstraintKind::kJsonSchema, text);
}

bool is_set(const std::vector<std::uint32_t>& mask, Token token) {
  const auto bit = static_cast<std::size_t>(token);
  return ((mask[bit / 32] >> (bit % 32)) & 1U) != 0;
}

std::vector<Token> allowed(ConstraintMatcher& matcher) {
  std::vector<std::uint32_t> mask;
  const Result<void> computed = matcher.compute_mask(mask);
  EXPECT_TRUE(computed.ok()) << computed.error().message;
  std::vector<Token> tokens;
  for (Token token = 0; token < static_cast<Token>(kTokens); ++token) {
    if (is_set(mask, token)) {
      tokens.push_back(token);
    }
  }
  return tokens;
}

/// Whether `text` satisfies the constraint, byte by byte.
bool accepts(const Constraint& constraint, std::string_view text) {
  ConstraintMatcher matcher = constraint.start();
  for (const char c : text) {
    if (!matcher.accept(static_cast<unsigned char>(c))) {
      return false;
    }
  }
  return matcher.is_accepting() && matcher.accept(kEnd).ok();
}

bool accepts(ConstraintKind kind, const std::string& constraint, std::string_view text) {
  const Result<Constraint> compiled = compile(kind, constraint);
  if (!compiled) {
    ADD_FAILURE() << constraint << ": " << compiled.error().message;
    return false;
  }
  return accepts(*compiled, text);
}

TEST(TokenTable, RefusesWhatIsNoVocabulary) {
  const std::vector<std::string> bytes{"a", ""};
  const auto reason = [](const Result<TokenTable>& table) {
    return table ? "" : table.error().reason;
  };
  EXPECT_EQ(reason(TokenTable::create(bytes, std::vector<Token>{1})), "");
  EXPECT_EQ(reason(TokenTable::create({}, std::vector<Token>{0})), "token_table_invalid");
  EXPECT_EQ(reason(TokenTable::create(bytes, {})), "token_table_invalid");
  EXPECT_EQ(reason(TokenTable::create(bytes, std::vector<Token>{2})), "token_table_invalid");
  EXPECT_EQ(reason(TokenTable::create(bytes, std::vector<Token>{-1})), "token_table_invalid");
}

TEST(ConstraintMatcher, AllowsExactlyWhatMayComeNext) {
  const Result<Constraint> constraint = compile_schema(R"({"enum":[10,123]})");
  ASSERT_TRUE(constraint.ok()) << constraint.error().message;
  ConstraintMatcher matcher = constraint->start();
  EXPECT_EQ(allowed(matcher), (std::vector<Token>{'1'}));
  ASSERT_TRUE(matcher.accept('1').ok());
  EXPECT_EQ(allowed(matcher), (std::vector<Token>{'0', '2'}));
  EXPECT_FALSE(matcher.is_accepting());
  ASSERT_TRUE(matcher.accept('2').ok());
  ASSERT_TRUE(matcher.accept('3').ok());
  EXPECT_TRUE(matcher.is_accepting());
  EXPECT_TRUE(matcher.is_finished());
}

TEST(ConstraintMatcher, EveryEndTokenIsAllowedWhereTheOutputMayEnd) {
  const Result<Constraint> constraint = compile(ConstraintKind::kRegex, "a?b?");
  ASSERT_TRUE(constraint.ok()) << constraint.error().message;
  for (const Token end : {kEnd, kOtherEnd}) {
    ConstraintMatcher matcher = constraint->start();
    EXPECT_EQ(allowed(matcher), (std::vector<Token>{'a', 'b', kEnd, kOtherEnd}));
    EXPECT_TRUE(matcher.is_accepting());
    EXPECT_FALSE(matcher.is_finished());
    ASSERT_TRUE(matcher.accept('b').ok());
    EXPECT_EQ(allowed(matcher), (std::vector<Token>{kEnd, kOtherEnd}));
    EXPECT_TRUE(matcher.is_finished());
    ASSERT_TRUE(matcher.accept(end).ok());
    EXPECT_TRUE(matcher.is_finished());
    EXPECT_EQ(matcher.accept(end).error().reason, "token_not_allowed");
    EXPECT_EQ(matcher.accept('a').error().reason, "token_not_allowed");
  }
}

TEST(ConstraintMatcher, RefusedTokensLeaveItAsItWas) {
  const Result<Constraint> constraint = compile(ConstraintKind::kRegex, "ab");
  ASSERT_TRUE(constraint.ok());
  ConstraintMatcher matcher = constraint->start();
  for (const Token token :
       {Token{'b'}, kEnd, kOtherEnd, kSpecial, Token{259}, Token{1 << 20}, -1}) {
    const Result<void> result = matcher.accept(token);
    ASSERT_FALSE(result.ok()) << token;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(result.error().reason, "token_not_allowed");
  }
  EXPECT_TRUE(matcher.accept('a').ok());
  EXPECT_EQ(matcher.accept('a').error().reason, "token_not_allowed");
  EXPECT_TRUE(matcher.accept('b').ok());
  EXPECT_EQ(matcher.accept('b').error().reason, "token_not_allowed");
  EXPECT_TRUE(matcher.is_finished());
}

TEST(ConstraintMatcher, TokensOfSeveralBytesAndTwinsAreAllowed) {
  const std::vector<std::string> bytes{"{", "{\"a", "a", "a", "", "\xff", "\"a\": tr"};
  const Result<TokenTable> table = TokenTable::create(bytes, std::vector<Token>{4});
  ASSERT_TRUE(table.ok());
  const Result<Constraint> constraint =
      Constraint::compile(*table, {.kind = ConstraintKind::kJsonSchema,
                                   .text =
                                       R"({"type":"object","properties":{"aa":{"type":"boolean"}},
                   "additionalProperties":false})"});
  ASSERT_TRUE(constraint.ok());
  ConstraintMatcher matcher = constraint->start();
  std::vector<std::uint32_t> mask;
  ASSERT_TRUE(matcher.compute_mask(mask).ok());
  EXPECT_EQ(mask, (std::vector<std::uint32_t>{0b11}));
  ASSERT_TRUE(matcher.accept(1).ok());
  ASSERT_TRUE(matcher.compute_mask(mask).ok());
  EXPECT_EQ(mask, (std::vector<std::uint32_t>{0b1100}));
  EXPECT_TRUE(matcher.accept(3).ok());
  // Nothing in this vocabulary is a quotation mark.
  const Result<void> stuck = matcher.compute_mask(mask);
  ASSERT_FALSE(stuck.ok());
  EXPECT_EQ(stuck.error().reason, "constraint_dead_end");
  EXPECT_EQ(matcher.accept(0).error().reason, "schema_core_failed");
  EXPECT_FALSE(matcher.is_accepting());
}

TEST(ConstraintMatcher, OutlivesItsConstraint) {
  std::optional<ConstraintMatcher> matcher;
  {
    const Result<Constraint> constraint = compile(ConstraintKind::kRegex, "ab");
    ASSERT_TRUE(constraint.ok());
    matcher.emplace(constraint->start());
  }
  EXPECT_EQ(allowed(*matcher), (std::vector<Token>{'a'}));
}

TEST(Constraint, MatchersAreIndependent) {
  const Result<Constraint> constraint = compile_schema(R"({"type":"string","maxLength":20})");
  ASSERT_TRUE(constraint.ok());
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([copy = *constraint] {
      for (int n = 0; n < 20; ++n) {
        EXPECT_TRUE(accepts(copy, "\"some text\""));
        EXPECT_FALSE(accepts(copy, "\"a text of more than twenty\""));
      }
    });
  }
}

TEST(Constraint, JsonHasOneSpaceAfterColonsAndCommas) {
  const std::string schema =
      R"({"type":"object","properties":{"b":{"type":"integer"},"a":{"type":"array"}},
          "required":["b","a"],"additionalProperties":false})";
  const auto kind = ConstraintKind::kJsonSchema;
  EXPECT_TRUE(accepts(kind, schema, R"({"b": 1, "a": [1, "x"]})"));
  EXPECT_FALSE(accepts(kind, schema, R"({"b":1,"a":[]})"));
  EXPECT_FALSE(accepts(kind, schema, R"( {"b": 1, "a": []})"));
  EXPECT_FALSE(accepts(kind, schema, "{\"b\": 1,\n\"a\": []}"));
  // In the order of the text.
  EXPECT_FALSE(accepts(kind, schema, R"({"a": [], "b": 1})"));
}

TEST(Constraint, TheSchemaCannotWeakenItself) {
  const std::string schema =
      R"({"x-guidance":{"lenient":true,"whitespace_flexible":true},
          "type":"array","uniqueItems":true})";
  EXPECT_EQ(compile_schema(schema).error().reason, "constraint_unsupported");
  EXPECT_FALSE(accepts(ConstraintKind::kJsonSchema,
                       R"({"x-guidance":{"whitespace_flexible":true},"type":"array"})", "[  ]"));
  const Result<Constraint> lark =
      compile(ConstraintKind::kLark,
              R"(start: %json {"x-guidance":{"lenient":true},"not":{"type":"null"}})");
  EXPECT_EQ(lark.error().reason, "constraint_unsupported");
}

TEST(Constraint, RegularExpressionsAreAnchored) {
  const auto kind = ConstraintKind::kRegex;
  EXPECT_TRUE(accepts(kind, "[a-c]+/\\d{2}", "abc/12"));
  EXPECT_FALSE(accepts(kind, "[a-c]+/\\d{2}", "abc/123"));
  EXPECT_FALSE(accepts(kind, "[a-c]+/\\d{2}", "xabc/12"));
  EXPECT_TRUE(accepts(kind, "a|bc", "bc"));
  EXPECT_FALSE(accepts(kind, "a|bc", "ac"));
  EXPECT_TRUE(accepts(kind, "", ""));
  EXPECT_FALSE(accepts(kind, "", "a"));
  EXPECT_TRUE(accepts(kind, "(?i)yes|no", "YES"));
  EXPECT_TRUE(accepts(kind, "\u00e4\n\"/", "\u00e4\n\"/"));
}

TEST(Constraint, LarkGrammars) {
  const auto kind = ConstraintKind::kLark;
  const std::string grammar = "start: \"(\" start \")\" | /[0-9]+/";
  EXPECT_TRUE(accepts(kind, grammar, "((42))"));
  EXPECT_FALSE(accepts(kind, grammar, "((42)"));
  EXPECT_TRUE(accepts(kind, "start: \"call \" %json {\"type\":\"null\"}", "call null"));
}

struct Refusal {
  const char* schema;
  const char* keyword;
};

TEST(Constraint, RefusesKeywordsThatItCannotExpressByName) {
  const Refusal kRefusals[] = {
      {R"({"not":{"type":"string"}})", "not"},
      {R"({"properties":{"a":{"type":"array","uniqueItems":true}}})", "uniqueItems"},
      {R"({"contains":{"type":"string"}})", "contains"},
      {R"({"propertyNames":{"maxLength":3}})", "propertyNames"},
      {R"({"if":{"type":"string"},"then":{"minLength":1}})", "if"},
      {R"({"dependentRequired":{"a":["b"]}})", "dependentRequired"},
      {R"({"dependentSchemas":{"a":{}}})", "dependentSchemas"},
      {R"({"dependencies":{"a":["b"]}})", "dependencies"},
      {R"({"unevaluatedProperties":false})", "unevaluatedProperties"},
      {R"({"unevaluatedItems":false})", "unevaluatedItems"},
      {R"({"$dynamicAnchor":"a","properties":{"x":{"$dynamicRef":"#a"}}})", "$dynamicRef"},
      {R"({"oneOf":[{"type":"integer","minimum":1},{"type":"integer","maximum":3}]})", "oneOf"},
      {R"({"type":"string","format":"nonsense"})", "format"},
      {R"({"enum":[1234567890123456789]})", "enum"},
      {R"({"minimum":9007199254740993})", "minimum"},
      {R"({"prefixItems":[{"type":"null"}],"additionalItems":false})", "additionalItems"},
      {R"({"$ref":"#/$defs/a","$defs":{"a":{"not":{}}}})", "not"},
      {R"({"$ref":"#a","$defs":{"a":{"$anchor":"a","not":{}}}})", "not"},
      {R"({"$ref":"#/$defs/a%20b","$defs":{"a b":{"not":{}}}})", "not"},
      {R"({"properties":{"a":{},"b":{}},"minProperties":1,"maxProperties":1})", "minProperties"},
  };
  for (const Refusal& refusal : kRefusals) {
    const Result<Constraint> constraint = compile_schema(refusal.schema);
    ASSERT_FALSE(constraint.ok()) << refusal.schema;
    EXPECT_EQ(constraint.error().code, ErrorCode::kUnsupported) << constraint.error().message;
    EXPECT_EQ(constraint.error().reason, "constraint_unsupported");
    EXPECT_EQ(constraint.error().details->value("keyword", ""), refusal.keyword)
        << refusal.schema << ": " << constraint.error().message;
    EXPECT_THAT(constraint.error().message, HasSubstr(refusal.keyword));
  }
}

TEST(Constraint, KeywordsWithoutEffectAreNoReasonToRefuse) {
  for (const char* schema :
       {R"({"type":"array","items":{"type":"null"},"uniqueItems":false})",
        R"({"type":"array","minContains":3})", R"({"type":"null","then":false})",
        R"({"type":"null","deprecated":true,"x-unknown":{"not":{}}})",
        R"({"type":"null","$defs":{"unused":{"not":{}}}})",
        R"({"properties":{"not":{"type":"null"}},"type":"object"})",
        R"({"type":"null","$comment":"not","examples":[{"not":1}]})"}) {
    const Result<Constraint> constraint = compile_schema(schema);
    EXPECT_TRUE(constraint.ok()) << schema << ": " << constraint.error().message;
  }
}

TEST(Constraint, RefusesWhatIsInvalid) {
  const auto expect_invalid = [](ConstraintKind kind, const std::string& text) {
    const Result<Constraint> constraint = compile(kind, text);
    ASSERT_FALSE(constraint.ok()) << text;
    EXPECT_EQ(constraint.error().code, ErrorCode::kInvalidArgument) << constraint.error().message;
    EXPECT_EQ(constraint.error().reason, "constraint_invalid") << constraint.error().message;
    EXPECT_NE(constraint.error().message, "");
  };
  for (const char* schema :
       {"", "{", "1", R"({"type":"strin"})", R"({"minLength":-1})", R"({"pattern":"("})",
        R"({"$ref":"#/missing"})", "false", R"({"type":"string","minLength":3,"maxLength":2})",
        "{\"a\":\"\xff\"}"}) {
    expect_invalid(ConstraintKind::kJsonSchema, schema);
  }
  for (const char* regex : {"(", "[z-a]", "a{3,2}", "\\", "(?=a)", "(a)\\1", "\xff"}) {
    expect_invalid(ConstraintKind::kRegex, regex);
  }
  for (const char* lark : {"", "start", "start: missing", "start: \"a", "rule: \"a\"", "\xff"}) {
    expect_invalid(ConstraintKind::kLark, lark);
  }
  EXPECT_EQ(compile_schema(R"({"$ref":"https://example.com/x"})").error().reason,
            "constraint_unsupported");
  EXPECT_EQ(compile(ConstraintKind::kRegex, "a\\bc").error().reason, "constraint_unsupported");
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) {
    result += text;
  }
  return result;
}

std::string reason_of(ConstraintKind kind, const std::string& text) {
  const Result<Constraint> constraint = compile(kind, text);
  return constraint ? "ok" : constraint.error().reason;
}

TEST(Constraint, HostileSchemasAreErrors) {
  const auto kind = ConstraintKind::kJsonSchema;
  EXPECT_EQ(reason_of(kind, repeated("{\"not\":", 10'000)), "schema_too_deep");
  EXPECT_EQ(reason_of(kind, repeated("[", 1'000'000)), "schema_too_deep");
  EXPECT_EQ(reason_of(kind, json{{"description", repeated("x", 2U << 20U)}}.dump()),
            "schema_too_large");
  // Definitions that recurse through each other, as many as fit.
  json definitions;
  for (int i = 0; i < 8000; ++i) {
    definitions[fmt::format("a{}", i)] = {{"type", "array"},
                                          {"items", {{"$ref", fmt::format("#/$defs/a{}", i + 1)}}}};
  }
  definitions["a8000"] = {{"type", "null"}};
  const std::string long_chain =
      reason_of(kind, json{{"$defs", definitions}, {"$ref", "#/$defs/a0"}}.dump());
  EXPECT_TRUE(long_chain == "ok" || long_chain == "constraint_too_complex") << long_chain;
  // Doubles with each level.
  json doubled = {{"type", "string"}};
  for (int i = 0; i < 30; ++i) {
    doubled = {{"anyOf", {doubled, {{"type", "array"}, {"items", doubled}}}}};
    if (doubled.dump().size() > 200'000) {
      break;
    }
  }
  EXPECT_NE(reason_of(kind, doubled.dump()), "schema_core_failed");
  for (const char* pattern : {"^(a+)+$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$", "a{1000}{1000}",
                              "(.*a){50}b", "(((a{100}){100}){100}){100}"}) {
    const std::string reason =
        reason_of(kind, json{{"type", "string"}, {"pattern", pattern}}.dump());
    EXPECT_NE(reason, "schema_core_failed") << pattern;
  }
}

TEST(Constraint, HostileGrammarsAreErrors) {
  for (const auto kind : {ConstraintKind::kRegex, ConstraintKind::kLark}) {
    EXPECT_EQ(reason_of(kind, repeated("a", 65'537)), "schema_too_large");
  }
  EXPECT_EQ(reason_of(ConstraintKind::kRegex, repeated("(", 30'000) + repeated(")", 30'000)),
            "constraint_invalid");
  EXPECT_NE(reason_of(ConstraintKind::kRegex, "((((a{100}){100}){100}){100})"),
            "schema_core_failed");
  EXPECT_NE(reason_of(ConstraintKind::kRegex, repeated("a?", 5'000)), "schema_core_failed");
  EXPECT_NE(reason_of(ConstraintKind::kRegex, repeated("a", 60'000)), "schema_core_failed");
  EXPECT_NE(reason_of(ConstraintKind::kRegex, repeated("(a|b)*", 10'000)), "schema_core_failed");
  EXPECT_EQ(reason_of(ConstraintKind::kLark, fmt::format("start: {}\"a\"{}", repeated("(", 30'000),
                                                         repeated(")", 30'000))),
            "constraint_invalid");
  std::string rules = "start: a0\n";
  for (int i = 0; i < 3500; ++i) {
    rules += fmt::format("a{}: a{} \"b\"\n", i, i + 1);
  }
  rules += "a3500: \"b\"\n";
  EXPECT_NE(reason_of(ConstraintKind::kLark, rules), "schema_core_failed");
  EXPECT_NE(reason_of(ConstraintKind::kLark, "start: start"), "schema_core_failed");
  EXPECT_NE(reason_of(ConstraintKind::kLark, "start: a\na: b\nb: a"), "schema_core_failed");
}

TEST(ConstraintMatcher, LongExpressionsAreBounded) {
  for (const std::string& regex :
       {repeated("a", 5000), repeated("a?", 500), fmt::format("({}c)*", repeated("ab|", 2000))}) {
    const Result<Constraint> constraint = compile(ConstraintKind::kRegex, regex);
    if (!constraint) {
      EXPECT_EQ(constraint.error().reason, "constraint_too_complex");
      continue;
    }
    ConstraintMatcher matcher = constraint->start();
    for (int i = 0; i < 100; ++i) {
      std::vector<std::uint32_t> mask;
      if (const Result<void> computed = matcher.compute_mask(mask); !computed) {
        EXPECT_EQ(computed.error().reason, "constraint_too_complex") << computed.error().message;
        break;
      }
      if (!matcher.accept('a')) {
        break;
      }
    }
  }
}

/// Grammar accepts => schema accepts. Walks the mask at random, in the end towards the end.
std::optional<std::string> random_output(const Constraint& constraint, std::mt19937& random) {
  constexpr int kMaxSteps = 3000;
  constexpr int kCalmSteps = 60;
  ConstraintMatcher matcher = constraint.start();
  std::string text;
  std::vector<std::uint32_t> mask;
  for (int step = 0; step < kMaxSteps; ++step) {
    const Result<void> computed = matcher.compute_mask(mask);
    if (!computed) {
      ADD_FAILURE() << text << ": " << computed.error().message;
      return std::nullopt;
    }
    EXPECT_EQ(is_set(mask, kEnd), matcher.is_accepting()) << text;
    EXPECT_EQ(is_set(mask, kEnd), is_set(mask, kOtherEnd)) << text;
    EXPECT_FALSE(is_set(mask, kSpecial));
    std::vector<Token> tokens;
    for (Token token = 0; token <= kEnd; ++token) {
      if (is_set(mask, token)) {
        tokens.push_back(token);
      }
    }
    Token choice = tokens[random() % tokens.size()];
    if (step > kCalmSteps && random() % 4 != 0) {
      for (const Token closing : {kEnd, Token{'"'}, Token{']'}, Token{'}'}}) {
        if (is_set(mask, closing)) {
          choice = closing;
          break;
        }
      }
    }
    const Result<void> accepted = matcher.accept(choice);
    if (!accepted) {
      ADD_FAILURE() << text << ": " << accepted.error().message;
      return std::nullopt;
    }
    if (choice == kEnd) {
      return text;
    }
    text += static_cast<char>(static_cast<unsigned char>(choice));
  }
  return std::nullopt;
}

const char* const kOracleSchemas[] = {
    R"({"type":"string"})",
    R"({"type":"string","minLength":2,"maxLength":5})",
    R"({"type":"string","pattern":"^[a-z]{2,4}-\\d+$"})",
    R"({"type":"string","pattern":"[aeiou]"})",
    R"({"type":"integer","minimum":-20,"maximum":300})",
    R"({"type":"integer","exclusiveMinimum":7,"multipleOf":3,"maximum":1000})",
    R"({"type":"integer","minimum":-9223372036854775808,"maximum":9223372036854775807})",
    R"({"type":"number","minimum":-1.5,"exclusiveMaximum":2.25})",
    R"({"type":"number","multipleOf":0.25,"minimum":0,"maximum":100})",
    R"({"enum":["a",1,null,true,{"x":[1,2]},"\u00e4\"\\"]})",
    R"({"const":{"a":[1,{"b":null}],"c":"d"}})",
    R"({"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":4})",
    R"({"type":"array","prefixItems":[{"type":"integer","maximum":9},{"const":"x"}],
        "items":{"type":"null"},
        "minItems":1,"maxItems":5})",
    R"({"type":"object","properties":{"path":{"type":"string","minLength":1},
        "limit":{"type":"integer","minimum":1,"maximum":50},"mode":{"enum":["r","w"]}},
        "required":["path"],"additionalProperties":false})",
    R"({"type":"object","properties":{"a":{"type":"integer"}},
        "additionalProperties":{"type":"boolean"}})",
    R"({"type":"object","patternProperties":{"^x-":{"type":"integer"}},
        "additionalProperties":false})",
    R"({"type":"object","properties":{"a":{"type":"null"},"b":{"type":"null"}},
        "required":["a","b","c"],"maxProperties":4})",
    R"({"anyOf":[{"type":"integer","minimum":10},{"type":"string","maxLength":2}]})",
    R"({"oneOf":[{"type":"object","properties":{"k":{"const":"a"},"v":{"type":"integer"}},
          "required":["k","v"]},
         {"type":"object","properties":{"k":{"const":"b"},"v":{"type":"boolean"}},
          "required":["k"]}]})",
    R"({"allOf":[{"type":"object","properties":{"a":{"type":"integer","minimum":3}},
         "required":["a"]},
        {"properties":{"a":{"maximum":8},"b":{"type":"boolean"}},"required":["b"]}]})",
    R"({"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object",
        "properties":{"name":{"type":"string","maxLength":3},
        "children":{"type":"array","items":{"$ref":"#/$defs/tree"},"maxItems":2}},
        "required":["name"],
        "additionalProperties":false}}})",
    R"({"$schema":"http://json-schema.org/draft-07/schema#","type":"array",
        "items":[{"type":"integer"},{"type":"string"}],
        "additionalItems":{"type":"null"},"maxItems":4})",
    R"({"$schema":"http://json-schema.org/draft-04/schema#","type":"number","minimum":1,
        "exclusiveMinimum":true,"maximum":4})",
    R"({"type":["integer","null","string"],"minimum":5,"minLength":1})",
    R"({"type":"string","format":"date-time"})",
    "true",
};

TEST(Constraint, WhatTheMaskLetsThroughSatisfiesTheSchema) {
  std::mt19937 random(20260101);
  for (const char* text : kOracleSchemas) {
    const Result<Constraint> constraint = compile_schema(text);
    ASSERT_TRUE(constraint.ok()) << text << ": " << constraint.error().message;
    const Result<Validator> validator = Validator::compile(json::parse(text));
    ASSERT_TRUE(validator.ok()) << text << ": " << validator.error().message;
    int finished = 0;
    for (int round = 0; round < 40; ++round) {
      const std::optional<std::string> output = random_output(*constraint, random);
      if (!output) {
        continue;
      }
      ++finished;
      const Result<Json> value = parse_json(*output);
      if (!value) {
        // JSON has no largest number; `Json` does.
        EXPECT_THAT(value.error().message, HasSubstr("out of range"))
            << text << " gave " << *output;
        continue;
      }
      const auto faults = validator->validate(*value);
      ASSERT_TRUE(faults.ok());
      EXPECT_EQ(describe(*faults), "") << text << " gave " << *output;
    }
    EXPECT_GE(finished, 30) << text;
  }
}

}  // namespace
}  // namespace ingle
