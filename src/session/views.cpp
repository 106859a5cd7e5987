#include "ingle/session/views.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

namespace ingle {
namespace {

constexpr const char* kNotRun = "This call was not run.";

/// The result of `call`, or null. Taken out of `results`, so that each is used once.
const Message* take_result(std::vector<const Message*>& results, const ToolCall& call) {
  const auto it = std::ranges::find_if(results, [&call](const Message* result) {
    return result != nullptr && result->tool_call_id == call.id;
  });
  return it == results.end() ? nullptr : std::exchange(*it, nullptr);
}

/// `reply` and a result for each of its calls, found among the messages up to the next reply.
void add_reply(const Message& reply, std::span<const Message> behind, std::vector<Message>& out) {
  out.push_back(reply);
  if (reply.tool_calls.empty()) {
    return;
  }
  std::vector<const Message*> results;
  for (const Message& message : behind) {
    if (message.role == Role::kAssistant) {
      break;
    }
    if (message.role == Role::kTool) {
      results.push_back(&message);
    }
  }
  for (const ToolCall& call : reply.tool_calls) {
    const Message* result = take_result(results, call);
    out.push_back(result != nullptr ? *result : Message::tool_result(call, kNotRun, true));
  }
}

}  // namespace

std::vector<Message> context_view(const SessionState& state) {
  const std::span<const Message> transcript = state.transcript;
  std::vector<Message> out;
  out.reserve(transcript.size());
  for (std::size_t i = 0; i < transcript.size(); ++i) {
    const Message& message = transcript[i];
    switch (message.role) {
      case Role::kAssistant:
        add_reply(message, transcript.subspan(i + 1), out);
        break;
      case Role::kTool:
        break;  // Stands behind its reply; one without a call is nothing a model may be shown.
      case Role::kSystem:
      case Role::kUser:
        out.push_back(message);
        break;
    }
  }
  return out;
}

Prompt prompt_view(const SessionState& state, const std::string& instructions,
                   std::vector<ToolSpec> tools) {
  Prompt prompt;
  prompt.messages = context_view(state);
  if (!instructions.empty()) {
    prompt.messages.insert(prompt.messages.begin(), Message::system(instructions));
  }
  prompt.tools = std::move(tools);
  return prompt;
}

}  // namespace ingle
