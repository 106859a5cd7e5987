#include "ingle/policy/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

using testing::HasReason;
using testing::IsOk;

const ToolTraits kReadOnly{.is_read_only = true, .is_idempotent = true};
const ToolTraits kWriting{};
const Rule kAllowAll{"*", GateEffect::kAllow};
const Rule kAskFiles{"*_file", GateEffect::kAsk};
const Rule kDenyWrite{"write_*", GateEffect::kDeny};

Policy policy_of(std::vector<Rule> rules) {
  auto policy = Policy::create(std::move(rules));
  EXPECT_THAT(policy, IsOk());
  return *policy;
}

GateDecision decide(const Policy& policy, std::string name, ToolTraits traits = kWriting) {
  return policy.decide({.name = std::move(name), .description = "", .parameters = {}}, traits);
}

ToolCall call_of(std::string name, Json arguments) {
  return {.id = CallId("c"),
          .name = std::move(name),
          .arguments = std::move(arguments),
          .raw_arguments = ""};
}

TEST(Policy, WithoutRulesReadOnlyToolsAreAllowedAndOthersAskedAbout) {
  EXPECT_EQ(decide(Policy(), "a", kReadOnly), (GateDecision{GateEffect::kAllow, "default"}));
  EXPECT_EQ(decide(Policy(), "a", kWriting), (GateDecision{GateEffect::kAsk, "default"}));
}

TEST(Policy, RuleThatDoesNotMatchChangesNothing) {
  EXPECT_EQ(decide(policy_of({kDenyWrite}), "read_file", kReadOnly),
            (GateDecision{GateEffect::kAllow, "default"}));
}

TEST(Policy, RuleOverridesTheDefaultInBothDirections) {
  EXPECT_EQ(decide(policy_of({kAllowAll}), "shell"), (GateDecision{GateEffect::kAllow, "*"}));
  EXPECT_EQ(decide(policy_of({{"read_file", GateEffect::kDeny}}), "read_file", kReadOnly),
            (GateDecision{GateEffect::kDeny, "read_file"}));
}

TEST(Policy, StrictestRuleWinsInEveryOrder) {
  std::vector<Rule> rules{kAllowAll, kAskFiles, kDenyWrite};
  const auto less = [](const Rule& a, const Rule& b) { return a.tools < b.tools; };
  std::ranges::sort(rules, less);
  int orders = 0;
  do {
    const Policy policy = policy_of(rules);
    EXPECT_EQ(decide(policy, "write_file"), (GateDecision{GateEffect::kDeny, "write_*"}));
    EXPECT_EQ(decide(policy, "read_file"), (GateDecision{GateEffect::kAsk, "*_file"}));
    EXPECT_EQ(decide(policy, "shell"), (GateDecision{GateEffect::kAllow, "*"}));
    ++orders;
  } while (std::ranges::next_permutation(rules, less).found);
  EXPECT_EQ(orders, 6);
}

TEST(Policy, FirstOfEquallyStrictRulesIsNamed) {
  EXPECT_EQ(decide(policy_of({{"a*", GateEffect::kAsk}, {"ab", GateEffect::kAsk}}), "ab").rule,
            "a*");
}

TEST(PolicyCreate, RefusesPatternsThatMatchNoTool) {
  for (const std::string pattern : {"", "two words", "a.b", "a?", "\xff", "a\n"}) {
    EXPECT_THAT(Policy::create({kAllowAll, {pattern, GateEffect::kDeny}}),
                HasReason("rule_invalid"))
        << pattern;
  }
}

TEST(PolicyFingerprint, DependsOnTheRulesAndNotOnTheirOrder) {
  const std::string fingerprint = policy_of({kAllowAll, kDenyWrite}).fingerprint();
  EXPECT_EQ(fingerprint, policy_of({kDenyWrite, kAllowAll, kDenyWrite}).fingerprint());
  const std::set<std::string> others{Policy().fingerprint(), policy_of({kAllowAll}).fingerprint(),
                                     policy_of({kDenyWrite}).fingerprint(),
                                     policy_of({{"*", GateEffect::kAsk}, kDenyWrite}).fingerprint(),
                                     fingerprint};
  EXPECT_EQ(others.size(), 5U);
}

TEST(CallDigest, DoesNotDependOnTheOrderOfKeys) {
  const auto a = parse_json(R"({"x": 1, "y": {"a": [1, 2], "b": null}})");
  const auto b = parse_json(R"({ "y": {"b": null, "a": [1,2]}, "x": 1 })");
  EXPECT_EQ(call_digest(call_of("t", *a), "p"), call_digest(call_of("t", *b), "p"));
}

TEST(CallDigest, DoesNotDependOnTheCallId) {
  ToolCall other = call_of("t", json::object());
  other.id = CallId("other");
  EXPECT_EQ(call_digest(other, "p"), call_digest(call_of("t", json::object()), "p"));
}

TEST(CallDigest, NoArgumentsAreTheEmptyObject) {
  EXPECT_EQ(call_digest(call_of("t", {}), "p"), call_digest(call_of("t", json::object()), "p"));
}

TEST(CallDigest, DiffersWhereCallsOrPoliciesDiffer) {
  const std::vector<std::string> digests{
      call_digest(call_of("t", json{{"x", 1}}), "p"),
      call_digest(call_of("t", json{{"x", 2}}), "p"),
      call_digest(call_of("t", json{{"x", "1"}}), "p"),
      call_digest(call_of("t", json{{"x", 1.0}}), "p"),
      call_digest(call_of("t", json{{"x", json::array({1, 2})}}), "p"),
      call_digest(call_of("t", json{{"x", json::array({2, 1})}}), "p"),
      call_digest(call_of("t", json{{"x", 1}}), "q"),
      call_digest(call_of("u", json{{"x", 1}}), "p"),
      call_digest(call_of("t", json::array()), "p"),
  };
  EXPECT_EQ(std::set<std::string>(digests.begin(), digests.end()).size(), digests.size());
}

TEST(CallDigest, TextCannotMoveFromOneFieldIntoTheNext) {
  const std::vector<std::string> digests{call_digest(call_of("t", json("ab")), "c"),
                                         call_digest(call_of("t", json("a")), "bc"),
                                         call_digest(call_of("ta", json("b")), "c"),
                                         call_digest(call_of("t\",\"ab", json("")), "c"),
                                         call_digest(call_of("t", json("ab\",\"c")), ""),
                                         call_digest(call_of("t", json("")), "abc")};
  EXPECT_EQ(std::set<std::string>(digests.begin(), digests.end()).size(), digests.size());
}

}  // namespace
}  // namespace ingle
