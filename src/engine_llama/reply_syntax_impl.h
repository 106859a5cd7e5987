/// The inside of `ReplySyntax`, for the files that know llama.cpp's `common`.
#pragma once

#include <chat.h>

#include <string>
#include <vector>

#include "engine_llama/reply_syntax.h"

namespace ingle {

struct ReplySyntax::Impl {
  common_chat_parser_params parser;
  ReplyGrammar grammar;
  std::vector<std::string> kept_markers;
  std::vector<std::string> stops;
  std::string thinking_start;
  std::vector<std::string> thinking_ends;
  std::vector<std::string> call_starts;
  std::vector<std::string> tool_names;
};

/// Errors of `common` (a parser that it cannot load) come as exceptions.
std::unique_ptr<ReplySyntax::Impl> make_syntax(const common_chat_params& params,
                                               std::vector<std::string> tool_names);

/// Grammars of `common` let a model talk before a call that is required, without end. This takes
/// that out of the first rule; thoughts, which stand in brackets there, stay.
std::string without_prose(std::string grammar);

}  // namespace ingle
