#include "cli/chat/conversation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "cli/text/display_width.h"
#include "cli/text/terminal_text.h"
#include "ingle/core/utf8.h"
#include "ingle/session/time_text.h"

namespace ingle::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kRecapTurns = 2;
constexpr std::size_t kRecapLines = 4;  ///< Of one message.

/// A fence longer than any run of backticks inside.
std::string fenced(std::string_view text, std::string_view language) {
  std::size_t longest = 2;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return fmt::format("{}{}\n{}{}{}\n", fence, language, text, text.ends_with('\n') ? "" : "\n",
                     fence);
}

std::string block_quote(std::string_view text) {
  std::string result = "> ";
  for (const char c : text) {
    result += c;
    if (c == '\n') {
      result += "> ";
    }
  }
  return result + "\n";
}

std::string_view heading(const Message& message) {
  switch (message.role) {
    case Role::kSystem:
      return "System";
    case Role::kUser:
      return "You";
    case Role::kAssistant:
      return "Assistant";
    case Role::kTool:
      return message.is_error ? "Error of " : "Result of ";
  }
  return "";
}

std::string markdown(const Message& message) {
  if (message.role == Role::kTool) {
    return fmt::format("\n### {}{}\n\n{}", heading(message), one_line(message.tool_name),
                       fenced(message.text(), ""));
  }
  std::string result = fmt::format("\n## {}\n", heading(message));
  if (const std::string reasoning = message.reasoning(); !reasoning.empty()) {
    result += "\n" + block_quote(reasoning);
  }
  if (const std::string text = message.text(); !text.empty()) {
    result += "\n" + text + (text.ends_with('\n') ? "" : "\n");
  }
  for (const ToolCall& call : message.tool_calls) {
    result += fmt::format(
        "\n### Call of {}\n\n{}", one_line(call.name),
        call.is_malformed()
            ? fenced(call.raw_arguments, "")
            : fenced(call.arguments->dump(2, ' ', false, json::error_handler_t::replace), "json"));
  }
  return result;
}

/// Where the last turns begin.
std::size_t recap_begin(const std::vector<Message>& messages) {
  std::size_t turns = 0;
  for (std::size_t i = messages.size(); i > 0; --i) {
    if (messages[i - 1].role == Role::kUser && ++turns == kRecapTurns) {
      return i - 1;
    }
  }
  return 0;
}

/// The first lines of `text`, none wider than the terminal.
std::string first_lines(std::string_view text, std::string_view before, std::size_t width) {
  std::string result;
  for (std::size_t shown = 0; !text.empty(); ++shown) {
    if (shown == kRecapLines) {
      return result + "...\n";
    }
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = one_line(truncate_utf8(text.substr(0, end), 4 * width));
    result += fit_to_width(std::string(shown == 0 ? before : "") + line, width - 1) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

Error failed(const fs::path& file, int error) {
  return {ErrorCode::kUnavailable,
          "file_failed",
          "cannot write " + file.string() + ": " + std::generic_category().message(error) +
              "; name a file in a folder that is there and that you may write",
          {}};
}

struct CloseFile {
  void operator()(std::FILE* file) const { (void)std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

Result<void> write_and_close(File file, const fs::path& path, const std::string& text) {
  const bool is_written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
  if (std::fclose(file.release()) != 0 || !is_written) {
    return failed(path, errno == 0 ? ENOSPC : errno);
  }
  return {};
}

}  // namespace

std::string conversation_markdown(const SessionId& session, const SessionState& state,
                                  Timestamp now) {
  std::string text = fmt::format("# Conversation {}\n\nSaved {}.", session.str(), format_time(now));
  if (state.run) {
    text += fmt::format(" Model: {}.", one_line(state.run->started.model));
  }
  text += "\n";
  for (const Message& message : state.transcript) {
    text += markdown(message);
  }
  return text;
}

std::string conversation_json(const SessionId& session, const SessionState& state, Timestamp now) {
  json messages = json::array();
  for (const Message& message : state.transcript) {
    messages.push_back(*ingle::to_json(message));
  }
  const json whole{
      {"session", session.str()}, {"saved", format_time(now)}, {"messages", std::move(messages)}};
  return whole.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string recap(const SessionState& state, const CardStyle& style) {
  const std::vector<Message>& messages = state.transcript;
  const std::size_t width = std::max<std::size_t>(style.width, 20);
  const std::size_t begin = recap_begin(messages);
  std::string text = begin > 0 ? fmt::format("... {} earlier messages\n", begin) : "";
  for (std::size_t i = begin; i < messages.size(); ++i) {
    const Message& message = messages[i];
    if (message.role == Role::kTool) {
      text += fmt::format("<- {}{}\n", message.is_error ? "error, " : "",
                          size_text(message.text().size()));
      continue;
    }
    text += first_lines(message.text(), message.role == Role::kUser ? "> " : "", width);
    for (const ToolCall& call : message.tool_calls) {
      text += fit_to_width("-> " + short_line(call.name + " " + call.arguments_text(), 4 * width),
                           width - 1) +
              "\n";
    }
  }
  return text;
}

Result<void> write_new_file(const fs::path& path, const std::string& text) {
  File file(std::fopen(path.c_str(), "wxe"));
  if (!file) {
    if (errno == EEXIST) {
      return Error{
          ErrorCode::kAlreadyExists, "file_exists", path.string() + " is there already", {}};
    }
    return failed(path, errno);
  }
  return write_and_close(std::move(file), path, text);
}

Result<void> replace_file(const fs::path& path, const std::string& text) {
  fs::path fresh = path;
  fresh += ".new";
  File file(std::fopen(fresh.c_str(), "we"));
  if (!file) {
    return failed(path, errno);
  }
  INGLE_RETURN_IF_ERROR(write_and_close(std::move(file), fresh, text));
  std::error_code error;
  fs::rename(fresh, path, error);
  if (error) {
    std::error_code ignored;
    fs::remove(fresh, ignored);
    return failed(path, error.value());
  }
  return {};
}

}  // namespace ingle::cli
