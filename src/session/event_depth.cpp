#include "session/event_depth.h"

#include <algorithm>
#include <variant>

namespace ingle::session_internal {
namespace {

// One overload per type, and none for all the others: a new event or outcome does not compile until
// it was asked whether it carries JSON.

std::size_t depth(const Message& message) {
  std::size_t deepest = 0;
  for (const ToolCall& call : message.tool_calls) {
    deepest = std::max(deepest, json_depth(call.arguments));
  }
  return deepest;
}

std::size_t depth(const Completed&) { return 0; }
std::size_t depth(const ToolResultOutcome& outcome) {
  return std::max(json_depth(outcome.arguments), json_depth(outcome.value));
}
std::size_t depth(const Interrupted&) { return 0; }
std::size_t depth(const Paused&) { return 0; }
std::size_t depth(const Stopped&) { return 0; }
std::size_t depth(const Cancelled&) { return 0; }
std::size_t depth(const Failed& outcome) { return json_depth(outcome.error.details); }

std::size_t depth(const SessionStarted&) { return 0; }
std::size_t depth(const MessageAdded& event) { return depth(event.message); }
std::size_t depth(const RunStarted& event) { return json_depth(event.settings); }
std::size_t depth(const RunResumed&) { return 0; }
std::size_t depth(const ModelCalled&) { return 0; }
std::size_t depth(const ModelReplied& event) { return depth(event.message); }
std::size_t depth(const GateDecided&) { return 0; }
std::size_t depth(const InterruptRaised&) { return 0; }
std::size_t depth(const InterruptResolved&) { return 0; }
std::size_t depth(const ToolStarted&) { return 0; }
std::size_t depth(const ToolFinished& event) {
  return std::max(json_depth(event.value), json_depth(event.state_change));
}
std::size_t depth(const StateChanged& event) { return json_depth(event.patch); }
std::size_t depth(const ModeStateSet& event) { return json_depth(event.state); }
std::size_t depth(const RunEnded& event) {
  return std::visit([](const auto& outcome) { return depth(outcome); }, event.outcome);
}
std::size_t depth(const UnknownEvent& event) { return json_depth(event.content); }

}  // namespace

std::size_t values_depth(const EventBody& body) {
  return std::visit([](const auto& event) { return depth(event); }, body);
}

}  // namespace ingle::session_internal
