/// Messages: what a conversation is made of.
///
/// Values. The JSON form (`to_json`, `message_from_json`) is the one in the session log:
/// docs/formats/events.md, "Messages".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ingle/core/ids.h"
#include "ingle/core/json.h"
#include "ingle/core/result.h"

namespace ingle {

enum class Role : std::uint8_t { kSystem, kUser, kAssistant, kTool };

[[nodiscard]] std::string_view to_string(Role role);

/// Text for the reader: UTF-8.
struct TextPart {
  std::string text = {};
  bool operator==(const TextPart&) const = default;
};

/// What a model wrote while thinking; not part of the answer.
struct ReasoningPart {
  std::string text = {};
  bool operator==(const ReasoningPart&) const = default;
};

using ContentPart = std::variant<TextPart, ReasoningPart>;

/// A call that a model asks for. It has not been checked, allowed or run.
struct ToolCall {
  CallId id =
      {};  ///< Unique within the session once the kernel has it; a model may leave it empty.
  std::string name = {};  ///< As the model wrote it; maybe no tool's name.
  Json arguments = {};    ///< Usually an object; null when there are none, or they are not JSON.
  /// The arguments as the model wrote them, byte for byte; empty when that is `arguments.dump()`.
  std::string raw_arguments = {};

  /// A call whose arguments are `text`: parsed if they are JSON (`parse_json`), kept raw else.
  static ToolCall of_text(CallId id, std::string name, std::string text);

  /// The model wrote arguments, and they are not JSON.
  [[nodiscard]] bool is_malformed() const { return arguments.is_null() && !raw_arguments.empty(); }

  /// What the model wrote; empty when it wrote no arguments.
  [[nodiscard]] std::string arguments_text() const;

  bool operator==(const ToolCall&) const = default;
};

struct Message {
  Role role = Role::kUser;
  std::vector<ContentPart> content = {};
  std::vector<ToolCall> tool_calls = {};  ///< kAssistant only, in the model's order.
  CallId tool_call_id = {};               ///< kTool only: the call that this answers.
  std::string tool_name = {};             ///< kTool only.
  bool is_error = false;  ///< kTool only: the call failed, was refused or did not run.

  static Message system(std::string text);
  static Message user(std::string text);
  static Message assistant(std::string text);
  static Message tool_result(const ToolCall& call, std::string text, bool is_error = false);

  /// All text parts, joined.
  [[nodiscard]] std::string text() const;
  /// All reasoning parts, joined.
  [[nodiscard]] std::string reasoning() const;

  bool operator==(const Message&) const = default;
};

[[nodiscard]] Json to_json(const ToolCall& call);
[[nodiscard]] Json to_json(const Message& message);

/// Errors: invalid_argument "message_invalid", naming the member that is missing or of the wrong
/// type.
Result<ToolCall> tool_call_from_json(const Json& value);
Result<Message> message_from_json(const Json& value);

}  // namespace ingle
