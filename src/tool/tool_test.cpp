#include "ingle/tool/tool.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <variant>

namespace ingle {
namespace {

const ToolTraits kReadOnly{.is_read_only = true, .is_idempotent = false};

ToolSpec sample_spec() {
  return {.name = "echo",
          .description = "Say it again.",
          .parameters = json{{"type", "object"}, {"properties", {{"text", {{"type", "string"}}}}}}};
}

std::string fingerprint_of(const ToolSpec& spec, ToolTraits traits = {}) {
  return fingerprint(*make_tool(
      spec, traits, [](const Call&, const ToolContext&, const Json&) { return ToolValue{}; }));
}

TEST(MakeTool, GivesTheFunctionWhatTheToolIsGiven) {
  const SessionId session("s");
  const CallId call_id("c");
  const Json shared = json{{"k", 1}};
  const auto tool =
      make_tool(sample_spec(), kReadOnly,
                [](const Call&, const ToolContext& context, const Json& arguments) -> ToolOutcome {
                  return ToolValue{context.session.str() + context.call_id.str() +
                                       context.shared.dump() + arguments.dump(),
                                   {},
                                   {}};
                });
  EXPECT_EQ(tool->spec(), sample_spec());
  EXPECT_EQ(tool->traits(), kReadOnly);
  const ToolOutcome outcome = tool->run({}, {session, call_id, shared}, json{{"text", "x"}});
  ASSERT_TRUE(std::holds_alternative<ToolValue>(outcome));
  EXPECT_EQ(std::get<ToolValue>(outcome).text, R"(sc{"k":1}{"text":"x"})");
}

TEST(ToolFingerprint, IsTheSameForTheSameTool) {
  EXPECT_EQ(fingerprint_of(sample_spec()), fingerprint_of(sample_spec()));
  EXPECT_EQ(fingerprint_of(sample_spec()).size(), 64U);
}

TEST(ToolFingerprint, ChangesWithEveryPartOfTheTool) {
  ToolSpec renamed = sample_spec();
  renamed.name = "echo2";
  ToolSpec redescribed = sample_spec();
  redescribed.description += "!";
  ToolSpec reshaped = sample_spec();
  (*reshaped.parameters)["additionalProperties"] = false;
  ToolSpec shifted = sample_spec();
  shifted.name = "echoSay";
  shifted.description = " it again.";
  const std::set<std::string> fingerprints{
      fingerprint_of(sample_spec()),
      fingerprint_of(renamed),
      fingerprint_of(redescribed),
      fingerprint_of(reshaped),
      fingerprint_of(shifted),
      fingerprint_of(sample_spec(), kReadOnly),
      fingerprint_of(sample_spec(), {.is_read_only = false, .is_idempotent = true})};
  EXPECT_EQ(fingerprints.size(), 7U);
}

}  // namespace
}  // namespace ingle
