#include "model/tool_prompt.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "ingle/model/schema_text.h"
#include "model/envelope.h"

namespace ingle {
namespace {

/// What the tool must be given; all that it can be given, if it needs nothing.
std::string shown_parameters(const ToolSpec& tool) {
  const Json required = required_only(tool.parameters);
  std::string names;
  for (const std::string& name :
       parameter_names(takes_nothing(required) ? tool.parameters : required)) {
    names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

std::string shown(const ToolCall& call) {
  const std::string arguments = call.arguments_text();
  return call.name + " " + (arguments.empty() ? "{}" : arguments);
}

std::string result_text(const Message& result, const std::string& call) {
  return (result.is_error ? "Error of " : "Result of ") + call + ":\n" + result.text();
}

/// Earlier turns as prose: a model that has just one tool, or none, would only be confused by the
/// rest.
void append_prose(const std::vector<Message>& messages, std::vector<Message>& out) {
  for (const Message& message : messages) {
    if (message.role != Role::kTool && !message.text().empty()) {
      out.push_back({.role = message.role, .content = {TextPart{message.text()}}});
    }
  }
}

const ToolCall* find_call(const std::vector<ToolCall>& calls, const CallId& id) {
  const auto found =
      std::ranges::find_if(calls, [&](const ToolCall& call) { return call.id == id; });
  return found == calls.end() ? nullptr : &*found;
}

}  // namespace

Turn newest_turn(const std::vector<Message>& messages) {
  Turn turn;
  auto last_user = std::find_if(messages.rbegin(), messages.rend(),
                                [](const Message& message) { return message.role == Role::kUser; });
  const auto question = last_user == messages.rend() ? messages.end() : last_user.base() - 1;
  turn.before.assign(messages.begin(), question);
  if (question == messages.end()) {
    return turn;
  }
  turn.question = question->text();
  for (auto message = question + 1; message != messages.end(); ++message) {
    if (message->role == Role::kTool) {
      turn.results.push_back(*message);
    }
    turn.calls.insert(turn.calls.end(), message->tool_calls.begin(), message->tool_calls.end());
  }
  return turn;
}

Prompt channel_prompt(const ToolSpec& tool) {
  return {.messages = {Message::system("You are an assistant with one tool:\n" + tool.name + "(" +
                                       shown_parameters(tool) + "): " + tool.description)},
          .tools = {},
          .next = Role::kUser};
}

Prompt channel_prompt_without_tool() {
  return {.messages = {Message::system("You are a helpful assistant.")},
          .tools = {},
          .next = Role::kUser};
}

Prompt arguments_prompt(const Turn& turn, const ToolSpec& tool) {
  std::string question = turn.question;
  for (const Message& result : turn.results) {
    const ToolCall* call = find_call(turn.calls, result.tool_call_id);
    if (call != nullptr) {
      question += "\n" + result_text(result, shown(*call));
    }
  }
  return {
      .messages = {Message::system("Reply with the arguments of one call of this tool as JSON:\n" +
                                   tool_text(tool)),
                   Message::user(std::move(question))},
      .tools = {},
      .next = Role::kAssistant};
}

Prompt answer_prompt(const Turn& turn) {
  Prompt prompt;
  append_prose(turn.before, prompt.messages);
  std::string question = turn.question;
  if (!turn.results.empty()) {
    question = "Answer in one sentence, using the result.\n" + question;
  }
  for (const Message& result : turn.results) {
    const ToolCall* call = find_call(turn.calls, result.tool_call_id);
    question += "\n" + result_text(result, call == nullptr ? result.tool_name : shown(*call));
  }
  prompt.messages.push_back(Message::user(std::move(question)));
  return prompt;
}

Prompt envelope_prompt(const Prompt& prompt) {
  Prompt rendered;
  std::string instructions;
  for (const ToolSpec& tool : prompt.tools) {
    instructions += tool_text(tool) + "\n";
  }
  instructions = "You may call these tools:\n" + instructions +
                 "To call one, reply with nothing but " +
                 envelope({.id = {},
                           .name = "TOOL",
                           .arguments = json{{"PARAMETER", "VALUE"}},
                           .raw_arguments = {}}) +
                 "\nOtherwise reply in plain words.";
  bool has_system = false;
  for (const Message& message : prompt.messages) {
    switch (message.role) {
      case Role::kSystem:
        rendered.messages.push_back(
            Message::system(has_system ? message.text() : message.text() + "\n\n" + instructions));
        has_system = true;
        break;
      case Role::kUser:
        rendered.messages.push_back(message);
        break;
      case Role::kAssistant: {
        std::string text = message.text();
        for (const ToolCall& call : message.tool_calls) {
          text += (text.empty() ? "" : "\n") + envelope(call);
        }
        rendered.messages.push_back(Message::assistant(std::move(text)));
        break;
      }
      case Role::kTool:
        rendered.messages.push_back(Message::user(result_text(message, message.tool_name)));
        break;
    }
  }
  if (!has_system) {
    rendered.messages.insert(rendered.messages.begin(), Message::system(instructions));
  }
  return rendered;
}

}  // namespace ingle
