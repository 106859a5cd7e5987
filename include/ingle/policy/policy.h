/// The gate: may this tool call run?
///
/// One policy decides for every path by which a call can come. Nothing runs that it does not allow.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/json.h"
#include "ingle/core/result.h"
#include "ingle/session/event.h"
#include "ingle/tool/tool.h"

namespace ingle {

/// "Calls of these tools are allowed, asked about, or denied."
struct Rule {
  std::string tools = {};  ///< A tool's name, or a pattern: '*' stands for any characters.
  GateEffect effect = GateEffect::kAsk;
  bool operator==(const Rule&) const = default;
};

struct GateDecision {
  GateEffect effect = GateEffect::kDeny;
  std::string rule = {};  ///< The pattern that decided, or "default".
  bool operator==(const GateDecision&) const = default;
};

/// Of all rules that match, the strictest wins: deny over ask over allow, whatever their order.
/// When none matches, a read-only tool is allowed and any other is asked about.
/// A value; thread-safe.
class Policy {
 public:
  Policy() = default;  ///< No rules.

  /// Errors: invalid_argument "rule_invalid" (an empty pattern, or characters that no name can
  /// have).
  static Result<Policy> create(std::vector<Rule> rules);

  [[nodiscard]] GateDecision decide(const ToolSpec& tool, const ToolTraits& traits) const;

  [[nodiscard]] const std::vector<Rule>& rules() const { return rules_; }

  /// Identity: sha256 over the rules, whatever their order.
  [[nodiscard]] std::string fingerprint() const;

 private:
  std::vector<Rule> rules_;
};

/// What a decision is about: sha256 over tool name, arguments (canonical JSON; none count as {})
/// and policy fingerprint.
[[nodiscard]] std::string call_digest(const ToolCall& call, std::string_view policy_fingerprint);

}  // namespace ingle
