#include "ingle/policy/policy.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "ingle/core/hash.h"
#include "ingle/core/utf8.h"
#include "ingle/policy/glob.h"
#include "ingle/tool/tool_set.h"

namespace ingle {
namespace {

bool is_pattern(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '*';
  });
}

int strictness(GateEffect effect) {
  switch (effect) {
    case GateEffect::kAllow:
      return 0;
    case GateEffect::kAsk:
      return 1;
    case GateEffect::kDeny:
      break;
  }
  return 2;
}

}  // namespace

Result<Policy> Policy::create(std::vector<Rule> rules) {
  for (const Rule& rule : rules) {
    if (!is_pattern(rule.tools)) {
      return Error{ErrorCode::kInvalidArgument, "rule_invalid",
                   fmt::format("\"{}\" matches no tool: write a tool's name (letters, digits, '_', "
                               "'-'), with '*' for any characters",
                               sanitize_utf8(rule.tools)),
                   json{{"rule", sanitize_utf8(rule.tools)}}};
    }
  }
  Policy policy;
  policy.rules_ = std::move(rules);
  return policy;
}

GateDecision Policy::decide(const ToolSpec& tool, const ToolTraits& traits) const {
  const Rule* decisive = nullptr;
  for (const Rule& rule : rules_) {
    if (glob_match(rule.tools, tool.name) &&
        (decisive == nullptr || strictness(rule.effect) > strictness(decisive->effect))) {
      decisive = &rule;
    }
  }
  if (decisive != nullptr) {
    return {decisive->effect, decisive->tools};
  }
  return {traits.is_read_only ? GateEffect::kAllow : GateEffect::kAsk, "default"};
}

std::string Policy::fingerprint() const {
  // Sorted, since neither order nor repetition changes a decision.
  std::vector<std::pair<std::string, int>> identities;
  for (const Rule& rule : rules_) {
    identities.emplace_back(rule.tools, strictness(rule.effect));
  }
  std::ranges::sort(identities);
  const auto repeated = std::ranges::unique(identities);
  identities.erase(repeated.begin(), repeated.end());
  return sha256_hex(Json(json(identities)).dump());
}

std::string call_digest(const ToolCall& call, std::string_view policy_fingerprint) {
  // A JSON array, so that no text can move from one field into the next; keys are in byte order.
  const Json identity = json::array({call.name, *effective_arguments(call), policy_fingerprint});
  return sha256_hex(identity.dump());
}

}  // namespace ingle
