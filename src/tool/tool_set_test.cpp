#include "ingle/tool/tool_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "ingle/core/utf8.h"
#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

using ::testing::ElementsAre;
using testing::HasErrorCode;
using testing::HasReason;
using ::testing::HasSubstr;
using testing::IsOk;
using ::testing::Not;

const json kPathSchema{{"type", "object"},
                       {"properties", {{"path", {{"type", "string"}}}}},
                       {"required", json::array({"path"})},
                       {"additionalProperties", false}};
const json kNoParameters{
    {"type", "object"}, {"properties", json::object()}, {"additionalProperties", false}};

std::shared_ptr<Tool> tool(std::string name, json parameters = kPathSchema) {
  return make_tool(
      {.name = std::move(name), .description = "d", .parameters = std::move(parameters)}, {},
      [](const Call&, const ToolContext&, const Json&) { return ToolValue{}; });
}

ToolSet sample_set() {
  auto set = ToolSet::create({tool("read_file"), tool("list_files"), tool("today", kNoParameters)});
  EXPECT_THAT(set, IsOk());
  return *set;
}

ToolCall call_of(std::string name, Json arguments, std::string malformed = "") {
  return {.id = CallId("c1"),
          .name = std::move(name),
          .arguments = std::move(arguments),
          .raw_arguments = std::move(malformed)};
}

std::string complaint(const ToolCall& call, const ToolSet& set = sample_set()) {
  const auto result = set.check(call);
  EXPECT_FALSE(result.ok());
  return result.ok() ? "" : result.error().message;
}

TEST(ToolSet, KeepsTheOrderInWhichToolsWereGiven) {
  EXPECT_THAT(sample_set().names(), ElementsAre("read_file", "list_files", "today"));
  EXPECT_EQ(sample_set().specs().at(1).name, "list_files");
}

TEST(ToolSet, FindsToolsByTheirExactName) {
  const ToolSet set = sample_set();
  ASSERT_NE(set.find("read_file"), nullptr);
  EXPECT_EQ(set.find("read_file")->spec().name, "read_file");
  EXPECT_EQ(set.find("Read_File"), nullptr);
  EXPECT_EQ(set.find(""), nullptr);
}

TEST(ToolSet, EmptySetHasNothing) {
  const ToolSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_TRUE(set.specs().empty());
  EXPECT_TRUE(set.fingerprints().empty());
  EXPECT_EQ(set.find("x"), nullptr);
  EXPECT_THAT(complaint(call_of("x", {}), set), HasSubstr("no tools at all"));
}

TEST(ToolSet, FingerprintsAreThoseOfTheTools) {
  const ToolSet set = sample_set();
  const auto fingerprints = set.fingerprints();
  EXPECT_EQ(fingerprints.size(), 3U);
  EXPECT_EQ(fingerprints.at("today"), fingerprint(*set.find("today")));
}

TEST(ToolSetCreate, RefusesNamesThatAModelCannotWrite) {
  for (const std::string name : {"", "two words", "a.b", "\xc3\xa4", "line\nbreak"}) {
    EXPECT_THAT(ToolSet::create({tool(name)}), HasReason("tool_name_invalid")) << name;
  }
  EXPECT_THAT(ToolSet::create({tool(std::string(65, 'a'))}), HasReason("tool_name_invalid"));
  EXPECT_THAT(ToolSet::create({tool(std::string(64, 'a')), tool("A-z_09")}), IsOk());
}

TEST(ToolSetCreate, RefusesTwoToolsOfOneName) {
  const auto set = ToolSet::create({tool("a"), tool("b"), tool("a")});
  EXPECT_THAT(set, HasReason("tool_duplicate"));
  EXPECT_EQ(set.error().code, ErrorCode::kInvalidArgument);
}

TEST(ToolSetCreate, RefusesParametersThatAreNoObjectsSchema) {
  const json schemas = json::array(
      {nullptr, true, json::object(), {{"type", "string"}}, {{"type", json::array({"object"})}}});
  for (const json& schema : schemas) {
    const auto set = ToolSet::create({tool("good"), tool("bad", schema)});
    ASSERT_THAT(set, HasReason("tool_schema_invalid")) << schema;
    EXPECT_THAT(set.error().message, HasSubstr("bad"));
  }
}

TEST(ToolSetCreate, RefusesASchemaThatIsNone) {
  const auto set = ToolSet::create({tool("bad", {{"type", "object"}, {"required", "path"}})});
  ASSERT_THAT(set, HasReason("tool_schema_invalid"));
  EXPECT_THAT(set.error().message, HasSubstr("bad"));
}

TEST(ToolSetCheck, AcceptsArgumentsThatSatisfyTheSchema) {
  EXPECT_THAT(sample_set().check(call_of("read_file", json{{"path", "a"}})), IsOk());
}

TEST(ToolSetCheck, NoArgumentsAtAllAreAnEmptyObject) {
  const ToolSet set = sample_set();
  EXPECT_THAT(set.check(call_of("today", {})), IsOk());
  EXPECT_THAT(set.check(call_of("today", json::object())), IsOk());
  EXPECT_THAT(set.check(call_of("read_file", {})), HasReason("arguments_invalid"));
}

TEST(ToolSetCheck, UnknownToolGetsTheListAndTheNearestName) {
  const auto result = sample_set().check(call_of("readfile", json::object()));
  ASSERT_THAT(result, HasErrorCode(ErrorCode::kNotFound));
  EXPECT_EQ(result.error().reason, "unknown_tool");
  EXPECT_EQ(result.error().message,
            "There is no tool \"readfile\". Did you mean read_file? The tools are: read_file, "
            "list_files, today.");
  EXPECT_EQ(result.error().details->at("nearest"), "read_file");
}

TEST(ToolSetCheck, UnknownToolThatIsNearNothingGetsTheListOnly) {
  const std::string text = complaint(call_of("send_mail", json::object()));
  EXPECT_THAT(text, HasSubstr("read_file, list_files, today"));
  EXPECT_THAT(text, Not(HasSubstr("Did you mean")));
}

TEST(ToolSetCheck, LongOrBrokenNamesAreQuotedInPart) {
  const std::string text = complaint(call_of(std::string(5000, 'n') + "\xff", {}));
  EXPECT_LT(text.size(), 400U);
  EXPECT_TRUE(is_valid_utf8(complaint(call_of("a\xff\xfe", {}))));
}

TEST(ToolSetCheck, MalformedArgumentsAreQuotedWithTheMembersThatAreNeeded) {
  const auto result = sample_set().check(call_of("read_file", {}, "{path: notes.txt"));
  ASSERT_THAT(result, HasErrorCode(ErrorCode::kInvalidArgument));
  EXPECT_EQ(result.error().reason, "arguments_malformed");
  EXPECT_EQ(result.error().message,
            "The arguments of read_file are not JSON. You wrote \"{path: notes.txt\". Write one "
            "JSON object with \"path\".");
}

TEST(ToolSetCheck, MalformedArgumentsOfAToolThatNeedsNoneAreStillRefused) {
  EXPECT_THAT(complaint(call_of("today", {}, "now")), HasSubstr("for example {}"));
}

TEST(ToolSetCheck, LongMalformedArgumentsAreCut) {
  std::string written;
  while (written.size() < 10'000) {
    written += "\xe2\x82\xac";
  }
  const std::string text = complaint(call_of("read_file", {}, written));
  EXPECT_LT(text.size(), 320U);
  EXPECT_TRUE(is_valid_utf8(text));
  EXPECT_THAT(text, HasSubstr("...\""));
}

TEST(ToolSetCheck, EveryFaultOfTheArgumentsIsNamed) {
  const auto result = sample_set().check(call_of("read_file", json{{"file", 1}}));
  ASSERT_THAT(result, HasReason("arguments_invalid"));
  EXPECT_THAT(result.error().message, HasSubstr("path"));
  EXPECT_THAT(result.error().message, HasSubstr("file"));
  EXPECT_EQ(result.error().details->at("faults").size(), 2U);
}

TEST(ToolSetCheck, ArgumentsOfAnotherTypeThanAnObjectAreInvalid) {
  for (const json& arguments : json::array({"{}", 1, json::array(), false})) {
    EXPECT_THAT(sample_set().check(call_of("today", arguments)), HasReason("arguments_invalid"))
        << arguments;
  }
}

TEST(ToolSetCheck, TextOfArgumentsNestedTooDeeplyIsNotCalledMalformed) {
  const std::string deep = "{\"path\":" + std::string(500, '[') + std::string(500, ']') + "}";
  const auto result = sample_set().check(call_of("read_file", {}, deep));
  EXPECT_THAT(result, HasReason("arguments_too_deep"));
  EXPECT_THAT(result.error().message, HasSubstr("deeper than 128 levels"));
}

TEST(ToolSetCheck, ArgumentsNestedTooDeeplyAreAnError) {
  json nested = json::object();
  for (int i = 0; i < 500; ++i) {
    json outer = json::object();
    outer["a"] = std::move(nested);
    nested = std::move(outer);
  }
  EXPECT_THAT(sample_set().check(call_of("today", nested)), HasReason("arguments_too_deep"));
}

TEST(EffectiveArguments, OnlyNoArgumentsAtAllAreReplaced) {
  EXPECT_EQ(effective_arguments(call_of("t", {})).dump(), "{}");
  EXPECT_EQ(effective_arguments(call_of("t", {}, "x")).dump(), "null");
  EXPECT_EQ(effective_arguments(call_of("t", json::array())).dump(), "[]");
}

}  // namespace
}  // namespace ingle
