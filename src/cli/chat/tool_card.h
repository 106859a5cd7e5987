/// Tool calls and their results as a person sees them in a chat.
#pragma once

#include <cstddef>
#include <string>

#include "ingle/model/message.h"
#include "ingle/session/event.h"

namespace ingle::cli {

struct CardStyle {
  bool is_lively = false;  ///< Colours and borders; else plain ASCII.
  std::size_t width = 80;  ///< Columns.
};

/// The name and the arguments: on one line where they fit, else pretty-printed and bounded. Lines
/// end with a line feed; control characters are written out.
[[nodiscard]] std::string call_card(const ToolCall& call, const CardStyle& style);

/// The first lines of the result and its size; an error in red. It closes the card of the call.
[[nodiscard]] std::string result_card(const ToolFinished& result, const CardStyle& style);

}  // namespace ingle::cli
