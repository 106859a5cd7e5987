#include "engine_llama/chat_inputs.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "ingle/core/json.h"
#include "ingle/core/utf8.h"
#include "ingle/model/schema_text.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxDepth = 128;
constexpr std::size_t kShortId = 9;

Error too_deep(const std::string& what) {
  return {ErrorCode::kInvalidArgument,
          "prompt_invalid",
          what + " nests deeper than " + std::to_string(kMaxDepth) + " levels",
          {}};
}

/// What the template is given for arguments: JSON in any case.
Result<std::string> arguments_of(const ToolCall& call) {
  if (call.is_malformed()) {
    return Json(json{{"malformed", call.raw_arguments}}).dump();
  }
  if (json_depth(call.arguments) > kMaxDepth) {
    return too_deep("a tool call's arguments");
  }
  const std::string text = call.arguments_text();
  return text.empty() ? std::string("{}") : sanitize_utf8(text);
}

Result<common_chat_msg> to_common(const Message& message) {
  common_chat_msg out;
  out.role = to_string(message.role);
  out.content = sanitize_utf8(message.text());
  out.reasoning_content = sanitize_utf8(message.reasoning());
  for (const ToolCall& call : message.tool_calls) {
    INGLE_TRY(std::string arguments, arguments_of(call));
    out.tool_calls.push_back({.name = sanitize_utf8(call.name),
                              .arguments = std::move(arguments),
                              .id = sanitize_utf8(call.id.str())});
  }
  out.tool_name = sanitize_utf8(message.tool_name);
  out.tool_call_id = sanitize_utf8(message.tool_call_id.str());
  return out;
}

/// Guards every string in `value`; true when one of them was cut.
bool guard_strings(nlohmann::ordered_json& value, MarkupGuard& guard) {
  bool is_cut = false;
  if (value.is_string()) {
    auto& text = value.get_ref<std::string&>();
    std::string guarded = guard.guard(text);
    is_cut = guarded != text;
    text = std::move(guarded);
  } else if (value.is_array()) {
    for (auto& element : value) {
      is_cut = guard_strings(element, guard) || is_cut;
    }
  } else if (value.is_object()) {
    nlohmann::ordered_json guarded = nlohmann::ordered_json::object();
    for (auto& [key, element] : value.items()) {
      is_cut = guard_strings(element, guard) || is_cut;
      std::string guarded_key = guard.guard(key);
      is_cut = is_cut || guarded_key != key;
      guarded[guarded_key] = std::move(element);
    }
    value = std::move(guarded);
  }
  return is_cut;
}

/// Text that holds no marker stays byte for byte what it was. A marker may also stand in a member
/// that a later one of the same name hides: then the text is written anew, without it.
void guard_json(std::string& text, MarkupGuard& guard) {
  if (!parse_json(text)) {  // bounds depth and size
    text = guard.guard(text);
    return;
  }
  auto value = nlohmann::ordered_json::parse(text, nullptr, false);
  if (guard_strings(value, guard) || guard.has_marker(text)) {
    text = value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
}

/// What stays of a schema; keywords whose values are schemas are followed.
nlohmann::ordered_json loosened_schema(const nlohmann::ordered_json& schema) {
  if (!schema.is_object()) {
    return schema;
  }
  auto loose = nlohmann::ordered_json::object();
  for (const auto& [keyword, value] : schema.items()) {
    if (keyword == "type" || keyword == "required" || keyword == "enum" || keyword == "const" ||
        keyword == "$ref") {
      loose[keyword] = value;
    } else if (keyword == "items" || keyword == "additionalProperties") {
      loose[keyword] = loosened_schema(value);
    } else if ((keyword == "properties" || keyword == "$defs" || keyword == "definitions") &&
               value.is_object()) {
      loose[keyword] = nlohmann::ordered_json::object();
      for (const auto& [name, part] : value.items()) {
        loose[keyword][name] = loosened_schema(part);
      }
    } else if ((keyword == "anyOf" || keyword == "oneOf") && value.is_array()) {
      for (const auto& part : value) {
        loose[keyword].push_back(loosened_schema(part));
      }
    }
  }
  return loose;
}

std::string short_id(const std::string& id) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char byte : id) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  }
  std::string text;
  for (std::size_t i = 0; i < kShortId; ++i) {
    text += kDigits[hash % kDigits.size()];
    hash /= kDigits.size();
  }
  return text;
}

bool is_short_id(const std::string& id) {
  return id.size() == kShortId && std::ranges::all_of(id, [](char byte) {
           return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                  (byte >= 'A' && byte <= 'Z');
         });
}

void join(common_chat_msg& first, const common_chat_msg& second) {
  const auto add = [](std::string& text, const std::string& more) {
    text += (text.empty() || more.empty() ? "" : "\n\n") + more;
  };
  add(first.content, second.content);
  add(first.reasoning_content, second.reasoning_content);
  first.tool_calls.insert(first.tool_calls.end(), second.tool_calls.begin(),
                          second.tool_calls.end());
}

}  // namespace

Result<ChatInputs> to_chat_inputs(const Prompt& prompt) {
  ChatInputs inputs;
  for (const Message& message : prompt.messages) {
    INGLE_TRY(common_chat_msg out, to_common(message));
    inputs.messages.push_back(std::move(out));
  }
  for (const ToolSpec& tool : prompt.tools) {
    if (json_depth(tool.parameters) > kMaxDepth) {
      return too_deep("the schema of the tool " + tool.name);
    }
    inputs.tools.push_back({.name = sanitize_utf8(tool.name),
                            .description = sanitize_utf8(tool.description),
                            .parameters = tool.parameters->is_object()
                                              ? schema_text(tool.parameters)
                                              : R"({"type":"object","properties":{}})"});
  }
  return inputs;
}

std::vector<std::string_view> texts_of(const ChatInputs& inputs) {
  std::vector<std::string_view> texts;
  for (const common_chat_msg& message : inputs.messages) {
    texts.insert(texts.end(), {message.content, message.reasoning_content, message.tool_name,
                               message.tool_call_id});
    for (const common_chat_tool_call& call : message.tool_calls) {
      texts.insert(texts.end(), {call.name, call.arguments, call.id});
    }
  }
  for (const common_chat_tool& tool : inputs.tools) {
    texts.insert(texts.end(), {tool.name, tool.description, tool.parameters});
  }
  return texts;
}

void guard_texts(ChatInputs& inputs, MarkupGuard& guard) {
  for (common_chat_msg& message : inputs.messages) {
    for (std::string* text : {&message.content, &message.reasoning_content, &message.tool_name,
                              &message.tool_call_id}) {
      *text = guard.guard(*text);
    }
    for (common_chat_tool_call& call : message.tool_calls) {
      call.name = guard.guard(call.name);
      call.id = guard.guard(call.id);
      guard_json(call.arguments, guard);
    }
  }
  for (common_chat_tool& tool : inputs.tools) {
    tool.name = guard.guard(tool.name);
    tool.description = guard.guard(tool.description);
    guard_json(tool.parameters, guard);
  }
}

std::vector<common_chat_tool> loosened(std::vector<common_chat_tool> tools) {
  for (common_chat_tool& tool : tools) {
    const auto schema = nlohmann::ordered_json::parse(tool.parameters, nullptr, false);
    if (!schema.is_discarded()) {
      tool.parameters = loosened_schema(schema).dump();
    }
  }
  return tools;
}

bool join_neighbours(std::vector<common_chat_msg>& messages) {
  std::vector<common_chat_msg> joined;
  bool has_changed = false;
  for (common_chat_msg& message : messages) {
    if (message.role == "system" && !joined.empty() && joined.back().role != "system") {
      message.role = "user";
      has_changed = true;
    }
    const bool is_neighbour =
        !joined.empty() && joined.back().role == message.role && message.role != "tool";
    if (is_neighbour) {
      join(joined.back(), message);
      has_changed = true;
    } else {
      joined.push_back(std::move(message));
    }
  }
  messages = std::move(joined);
  return has_changed;
}

bool shorten_call_ids(std::vector<common_chat_msg>& messages) {
  bool has_changed = false;
  const auto shorten = [&has_changed](std::string& id) {
    if (!id.empty() && !is_short_id(id)) {
      id = short_id(id);
      has_changed = true;
    }
  };
  for (common_chat_msg& message : messages) {
    shorten(message.tool_call_id);
    for (common_chat_tool_call& call : message.tool_calls) {
      shorten(call.id);
    }
  }
  return has_changed;
}

}  // namespace ingle
