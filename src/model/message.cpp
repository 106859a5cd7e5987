// The JSON form is specified in docs/formats/events.md, "Messages".
#include "ingle/model/message.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>

namespace ingle {
namespace {

enum class Presence : std::uint8_t { kRequired, kOptional };

Error invalid(std::string message) {
  return {ErrorCode::kInvalidArgument, "message_invalid", std::move(message), {}};
}

Result<std::string> read_string(const json& object, const char* key, Presence presence) {
  const auto it = object.find(key);
  if (it == object.end()) {
    if (presence == Presence::kOptional) {
      return std::string();
    }
    return invalid("the member \"" + std::string(key) + "\" is missing");
  }
  if (!it->is_string()) {
    return invalid("the member \"" + std::string(key) + "\" must be a string");
  }
  return it->get<std::string>();
}

std::optional<Role> role_from(std::string_view name) {
  for (const Role role : {Role::kSystem, Role::kUser, Role::kAssistant, Role::kTool}) {
    if (to_string(role) == name) {
      return role;
    }
  }
  return std::nullopt;
}

json part_to_json(const ContentPart& part) {
  return std::visit(
      [](const auto& p) {
        using Part = std::decay_t<decltype(p)>;
        const char* type = std::is_same_v<Part, TextPart> ? "text" : "reasoning";
        return json{{"type", type}, {"text", p.text}};
      },
      part);
}

Result<ContentPart> part_from_json(const json& value) {
  if (!value.is_object()) {
    return invalid("each element of \"content\" must be an object");
  }
  INGLE_TRY(const std::string type, read_string(value, "type", Presence::kRequired));
  INGLE_TRY(std::string text, read_string(value, "text", Presence::kRequired));
  if (type == "text") {
    return ContentPart(TextPart{std::move(text)});
  }
  if (type == "reasoning") {
    return ContentPart(ReasoningPart{std::move(text)});
  }
  return invalid("the member \"type\" of a content part must be \"text\" or \"reasoning\"");
}

/// The array `key` of `object`; null when it is absent.
Result<const json*> find_array(const json& object, const char* key) {
  const auto it = object.find(key);
  if (it == object.end()) {
    return static_cast<const json*>(nullptr);
  }
  if (!it->is_array()) {
    return invalid("the member \"" + std::string(key) + "\" must be an array");
  }
  return &*it;
}

Result<void> read_content(const json& object, Message& message) {
  INGLE_TRY(const json* const parts, find_array(object, "content"));
  if (parts != nullptr) {
    for (const json& element : *parts) {
      INGLE_TRY(ContentPart part, part_from_json(element));
      message.content.push_back(std::move(part));
    }
  }
  return {};
}

Result<void> read_tool_calls(const json& object, Message& message) {
  INGLE_TRY(const json* const calls, find_array(object, "tool_calls"));
  if (calls == nullptr) {
    return {};
  }
  if (message.role != Role::kAssistant && !calls->empty()) {
    return invalid("only the role \"assistant\" may have the member \"tool_calls\"");
  }
  for (const json& element : *calls) {
    INGLE_TRY(ToolCall call, tool_call_from_json(element));
    message.tool_calls.push_back(std::move(call));
  }
  return {};
}

Result<void> read_tool_members(const json& object, Message& message) {
  const auto presence = message.role == Role::kTool ? Presence::kRequired : Presence::kOptional;
  INGLE_TRY(std::string call_id, read_string(object, "tool_call_id", presence));
  INGLE_TRY(message.tool_name, read_string(object, "tool_name", presence));
  message.tool_call_id = CallId(std::move(call_id));
  if (const auto it = object.find("is_error"); it != object.end()) {
    if (!it->is_boolean()) {
      return invalid("the member \"is_error\" must be true or false");
    }
    message.is_error = it->get<bool>();
  }
  return {};
}

template <class Part>
std::string joined(const std::vector<ContentPart>& content) {
  std::string result;
  for (const ContentPart& part : content) {
    if (const auto* wanted = std::get_if<Part>(&part)) {
      result += wanted->text;
    }
  }
  return result;
}

Message with_text(Role role, std::string text) {
  Message message;
  message.role = role;
  message.content.emplace_back(TextPart{std::move(text)});
  return message;
}

}  // namespace

std::string_view to_string(Role role) {
  switch (role) {
    case Role::kSystem:
      return "system";
    case Role::kUser:
      return "user";
    case Role::kAssistant:
      return "assistant";
    case Role::kTool:
      return "tool";
  }
  return "";
}

Message Message::system(std::string text) { return with_text(Role::kSystem, std::move(text)); }

Message Message::user(std::string text) { return with_text(Role::kUser, std::move(text)); }

Message Message::assistant(std::string text) {
  return with_text(Role::kAssistant, std::move(text));
}

Message Message::tool_result(const ToolCall& call, std::string text, bool is_error) {
  Message message = with_text(Role::kTool, std::move(text));
  message.tool_call_id = call.id;
  message.tool_name = call.name;
  message.is_error = is_error;
  return message;
}

std::string Message::text() const { return joined<TextPart>(content); }

std::string Message::reasoning() const { return joined<ReasoningPart>(content); }

ToolCall ToolCall::of_text(CallId id, std::string name, std::string text) {
  ToolCall call{.id = std::move(id), .name = std::move(name)};
  if (auto parsed = parse_json(text)) {
    call.arguments = *std::move(parsed);
  }
  if (call.arguments.is_null() || call.arguments.dump() != text) {
    call.raw_arguments = std::move(text);
  }
  return call;
}

std::string ToolCall::arguments_text() const {
  if (!raw_arguments.empty()) {
    return raw_arguments;
  }
  return arguments.is_null() ? "" : arguments.dump();
}

Json to_json(const ToolCall& call) {
  json out{{"id", call.id.str()}, {"name", call.name}, {"arguments", *call.arguments}};
  if (!call.raw_arguments.empty()) {
    out["raw_arguments"] = call.raw_arguments;
  }
  return out;
}

Json to_json(const Message& message) {
  json content = json::array();
  for (const ContentPart& part : message.content) {
    content.push_back(part_to_json(part));
  }
  json out{{"role", to_string(message.role)}, {"content", std::move(content)}};
  if (!message.tool_calls.empty()) {
    json calls = json::array();
    for (const ToolCall& call : message.tool_calls) {
      calls.push_back(*to_json(call));
    }
    out["tool_calls"] = std::move(calls);
  }
  const bool is_tool = message.role == Role::kTool;
  if (is_tool || !message.tool_call_id.empty()) {
    out["tool_call_id"] = message.tool_call_id.str();
  }
  if (is_tool || !message.tool_name.empty()) {
    out["tool_name"] = message.tool_name;
  }
  if (message.is_error) {
    out["is_error"] = true;
  }
  return out;
}

Result<ToolCall> tool_call_from_json(const Json& value) {
  if (!value->is_object()) {
    return invalid("a tool call must be an object");
  }
  ToolCall call;
  INGLE_TRY(std::string id, read_string(*value, "id", Presence::kOptional));
  call.id = CallId(std::move(id));
  INGLE_TRY(call.name, read_string(*value, "name", Presence::kRequired));
  INGLE_TRY(call.raw_arguments, read_string(*value, "raw_arguments", Presence::kOptional));
  if (const auto it = value->find("arguments"); it != value->end()) {
    call.arguments = *it;
  }
  return call;
}

Result<Message> message_from_json(const Json& value) {
  if (!value->is_object()) {
    return invalid("a message must be an object");
  }
  Message message;
  INGLE_TRY(const std::string role_name, read_string(*value, "role", Presence::kRequired));
  const auto role = role_from(role_name);
  if (!role) {
    return invalid("the member \"role\" must be \"system\", \"user\", \"assistant\" or \"tool\"");
  }
  message.role = *role;
  INGLE_RETURN_IF_ERROR(read_content(*value, message));
  INGLE_RETURN_IF_ERROR(read_tool_calls(*value, message));
  INGLE_RETURN_IF_ERROR(read_tool_members(*value, message));
  return message;
}

}  // namespace ingle
