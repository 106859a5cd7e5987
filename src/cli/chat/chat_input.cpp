#include "cli/chat/chat_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "ingle/tool/nearest_name.h"

namespace ingle::cli {
namespace {

constexpr std::string_view kBlock = R"(""")";
constexpr const char* kMorePrompt = "... ";
constexpr std::string_view kSpaces = " \t\r\n";

enum class Takes : std::uint8_t { kNothing, kMaybe, kSomething };

struct CommandRow {
  std::string_view name;
  ChatCommandKind kind;
  Takes takes;
  std::string_view argument;
  std::string_view help;
};

constexpr std::array kCommands{
    CommandRow{"help", ChatCommandKind::kHelp, Takes::kNothing, "", "this list"},
    CommandRow{"model", ChatCommandKind::kModel, Takes::kMaybe, "[NAME]",
               "load another model for what follows; without a name: list them"},
    CommandRow{"tools", ChatCommandKind::kTools, Takes::kMaybe, "[A,B]",
               "tools the model may call, \"all\" or \"none\"; without: list them"},
    CommandRow{"system", ChatCommandKind::kSystem, Takes::kMaybe, "[TEXT]",
               "what the model is told first, \"none\" for nothing; without: show it"},
    CommandRow{"reset", ChatCommandKind::kReset, Takes::kNothing, "",
               "begin a new session; the present one stays"},
    CommandRow{"save", ChatCommandKind::kSave, Takes::kSomething, "FILE",
               "write the conversation: JSON for FILE.json, else Markdown"},
    CommandRow{"session", ChatCommandKind::kSession, Takes::kNothing, "",
               "what this session is, and how to come back to it"},
    CommandRow{"continue", ChatCommandKind::kContinue, Takes::kNothing, "",
               "go on with a turn that waits, was cancelled or failed"},
    CommandRow{"quit", ChatCommandKind::kQuit, Takes::kNothing, "", "leave; so does Ctrl-D"},
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) {
    return "";
  }
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

/// Of several lines that came at once, none is continued.
bool goes_on_below(const std::string& text) {
  return text.ends_with('\\') && text.find('\n') == std::string::npos;
}

/// The lines up to the closing one.
Line read_block(LineReader& lines) {
  std::string block;
  bool is_first = true;
  while (true) {
    Line line = lines.read({.prompt = kMorePrompt});
    if (line.end != LineEnd::kLine) {
      line.text = std::move(block);
      return line;
    }
    if (trimmed(line.text) == kBlock) {
      return {LineEnd::kLine, std::move(block)};
    }
    block += (is_first ? "" : "\n") + line.text;
    is_first = false;
  }
}

Error unknown_command(std::string_view name) {
  std::vector<std::string> names;
  std::ranges::transform(kCommands, std::back_inserter(names),
                         [](const CommandRow& row) { return std::string(row.name); });
  const auto nearest = nearest_name(name, names);
  return {ErrorCode::kInvalidArgument,
          "chat_command_unknown",
          fmt::format("there is no command /{}; {}; to say \"/{}\" write //{}", name,
                      nearest ? "did you mean /" + *nearest + "?" : "/help lists them", name, name),
          {}};
}

Result<ChatInput> parse_command(std::string_view text) {
  const std::size_t space = text.find_first_of(kSpaces);
  const std::string_view name = text.substr(0, space);
  const std::string_view argument =
      space == std::string_view::npos ? "" : trimmed(text.substr(space));
  const auto* const row =
      std::ranges::find_if(kCommands, [name](const CommandRow& each) { return each.name == name; });
  if (row == kCommands.end()) {
    if (text.find('\n') != std::string_view::npos) {
      // Several lines that begin with a path, say.
      return ChatInput(ChatMessage{"/" + std::string(text)});
    }
    return unknown_command(name);
  }
  if (row->takes == Takes::kNothing && !argument.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "chat_argument_unexpected",
                 fmt::format("/{} takes nothing behind it: write /{} alone", name, name),
                 {}};
  }
  if (row->takes == Takes::kSomething && argument.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "chat_argument_missing",
                 fmt::format("/{0} needs something behind it: write /{0} {1}", name, row->argument),
                 {}};
  }
  return ChatInput(ChatCommand{row->kind, std::string(argument)});
}

}  // namespace

Line read_message(LineReader& lines, const std::string& prompt) {
  Line line = lines.read({.prompt = prompt});
  if (line.end != LineEnd::kLine) {
    return line;
  }
  if (trimmed(line.text) == kBlock) {
    return read_block(lines);
  }
  std::string text = std::move(line.text);
  bool goes_on = goes_on_below(text);
  while (goes_on) {
    text.back() = '\n';
    line = lines.read({.prompt = kMorePrompt});
    text += line.text;
    goes_on = line.end == LineEnd::kLine && goes_on_below(line.text);
  }
  line.text = std::move(text);
  return line;
}

Result<ChatInput> parse_chat_input(std::string_view text) {
  if (text.starts_with("//")) {
    return ChatInput(ChatMessage{std::string(text.substr(1))});
  }
  if (text.starts_with('/')) {
    return parse_command(text.substr(1));
  }
  return ChatInput(ChatMessage{std::string(text)});
}

std::string chat_help() {
  std::string help;
  for (const CommandRow& row : kCommands) {
    help += fmt::format("  {:<16}{}\n", fmt::format("/{} {}", row.name, row.argument), row.help);
  }
  return help +
         "Anything else is said to the model; //TEXT says \"/TEXT\". A line that ends in \\ goes "
         "on "
         "in\nthe next; a block between two lines of \"\"\" is one message, and so is a paste. "
         "Ctrl-C stops\nan answer.\n";
}

}  // namespace ingle::cli
