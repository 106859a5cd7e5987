/// What the words of a question say about a tool.
#pragma once

#include <string_view>

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

/// What is added to the log-likelihood of the question under the tool to choose among tools.
[[nodiscard]] double choice_bonus(const ToolEvidence& evidence, const ToolStrategy& strategy);

/// What is added to the difference to "no tool" to decide whether the tool fits.
[[nodiscard]] double fit_bonus(const ToolEvidence& evidence, const ToolStrategy& strategy);

}  // namespace ingle
