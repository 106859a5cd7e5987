/// What the words of a question say about a tool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "ingle/model/generation.h"
#include "ingle/model/tool_strategy.h"

namespace ingle {

/// Shares of words are from 0 to 1; words are compared by their stems, common ones left out.
struct ToolEvidence {
  double name_said = 0;         ///< Of the words of the tool's name, those in the question.
  double description_said = 0;  ///< Of the words of its description.
  double question_known = 0;   ///< Of the question's words, those in name, description, parameters.
  double missing_numbers = 0;  ///< Numbers that it requires beyond those in the question.

  bool operator==(const ToolEvidence&) const = default;
};

[[nodiscard]] ToolEvidence evidence_for(const ToolSpec& tool, std::string_view question);

/// How many numbers `schema`, that of an object, requires as properties of their own.
[[nodiscard]] std::size_t required_numbers(const json& schema);

/// A tool that may be the one.
struct ToolCandidate {
  ToolSpec tool = {};
  ToolEvidence evidence = {};
};

/// The `count` tools that know most of the question's words, in the order of `tools`; 0: all of
/// them.
[[nodiscard]] std::vector<ToolCandidate> most_evident(std::span<const ToolSpec> tools,
                                                      std::string_view question,
                                                      std::int32_t count);

/// What is added to the log-likelihood of the question under the tool to choose among tools.
[[nodiscard]] double choice_bonus(const ToolEvidence& evidence, const ToolStrategy& strategy);

/// What is added to the difference to "no tool" to decide whether the tool fits.
[[nodiscard]] double fit_bonus(const ToolEvidence& evidence, const ToolStrategy& strategy);

}  // namespace ingle
