/// A prompt as llama.cpp's `common` takes it.
#pragma once

#include <chat.h>

#include <string>
#include <string_view>
#include <vector>

#include "engine_llama/markup_guard.h"
#include "ingle/core/result.h"
#include "ingle/model/generation.h"

namespace ingle {

struct ChatInputs {
  std::vector<common_chat_msg> messages;
  std::vector<common_chat_tool> tools;
};

/// Sanitised, not guarded. Errors: invalid_argument "prompt_invalid" (JSON that nests too deep).
Result<ChatInputs> to_chat_inputs(const Prompt& prompt);

/// Every text in it that comes from outside.
[[nodiscard]] std::vector<std::string_view> texts_of(const ChatInputs& inputs);

/// Puts seams into those texts. In JSON they go into its strings, however those are escaped.
void guard_texts(ChatInputs& inputs, MarkupGuard& guard);

/// The tools with schemas of which names, types and choices are left.
[[nodiscard]] std::vector<common_chat_tool> loosened(std::vector<common_chat_tool> tools);

/// For templates that want roles to take turns: messages of one role that follow each other become
/// one, system messages behind the first become the user's. True when that changed anything.
bool join_neighbours(std::vector<common_chat_msg>& messages);

/// For templates that want ids of nine letters and digits. True when there were any.
bool shorten_call_ids(std::vector<common_chat_msg>& messages);

}  // namespace ingle
