/// The prompted protocol's words. Measured in docs/prompted-tools.md: change them there too.
#pragma once

#include <string>
#include <vector>

#include "ingle/model/generation.h"

namespace ingle {

/// The newest turn of a conversation: what was asked last, and what the tools have said since.
struct Turn {
  std::string question;          ///< The last user message's text.
  std::vector<Message> before;   ///< Everything in front of it.
  std::vector<ToolCall> calls;   ///< Calls since, in order.
  std::vector<Message> results;  ///< Their results.
};

[[nodiscard]] Turn newest_turn(const std::vector<Message>& messages);

/// How likely is the question if the assistant's one tool is `tool`? Ends where the question
/// begins.
[[nodiscard]] Prompt channel_prompt(const ToolSpec& tool);

/// The same for an assistant without tools.
[[nodiscard]] Prompt channel_prompt_without_tool();

/// Asks for the arguments of one call of `tool`; failed attempts of this turn are shown.
[[nodiscard]] Prompt arguments_prompt(const Turn& turn, const ToolSpec& tool);

/// Asks for prose. Calls and results of the newest turn stand in the question; of earlier turns
/// only the answers are kept.
[[nodiscard]] Prompt answer_prompt(const Turn& turn);

/// The conversation with all tools in the system message, calls in envelopes and results as user
/// messages.
[[nodiscard]] Prompt envelope_prompt(const Prompt& prompt);

}  // namespace ingle
