/// From lines to messages: what goes on over several lines, and what is a command.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "ingle/cli/line_reader.h"
#include "ingle/core/result.h"

namespace ingle::cli {

/// Reads one message. A line that ends in a backslash goes on in the next one; a block between two
/// lines of """ is one message; several lines that come at once (a paste) are one message. The end
/// of the input within a message is kEnd, and what there was of the message its text.
[[nodiscard]] Line read_message(LineReader& lines, const std::string& prompt);

enum class ChatCommandKind : std::uint8_t {
  kHelp,
  kModel,
  kTools,
  kSystem,
  kReset,
  kSave,
  kSession,
  kContinue,
  kQuit,
};

struct ChatCommand {
  ChatCommandKind kind = ChatCommandKind::kHelp;
  std::string argument = {};  ///< What stands behind the name; empty: nothing.
};

/// What to tell the model.
struct ChatMessage {
  std::string text = {};
};

using ChatInput = std::variant<ChatMessage, ChatCommand>;

/// "/NAME ARGUMENT" is a command, "//TEXT" the message "/TEXT", anything else a message; so are
/// several lines that begin with '/' and no command's name. Errors: invalid_argument
/// "chat_command_unknown" (names the nearest), "chat_argument_unexpected", "chat_argument_missing".
Result<ChatInput> parse_chat_input(std::string_view text);

/// The commands, a line each.
[[nodiscard]] std::string chat_help();

}  // namespace ingle::cli
