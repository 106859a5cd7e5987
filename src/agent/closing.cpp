#include "agent/closing.h"

namespace ingle {

std::vector<EventBody> closing_events(const SessionState& state, const std::string& why,
                                      const ToolFinished* known) {
  std::vector<EventBody> events;
  for (const InterruptRaised& interrupt : state.interrupts) {
    events.emplace_back(InterruptResolved{.id = interrupt.id,
                                          .decision = InterruptDecision::kReject,
                                          .text = "Superseded: " + why + "."});
  }
  if (!state.run) {
    return events;
  }
  for (const CallState& call : state.run->batch) {
    if (call.result) {
      continue;
    }
    if (known != nullptr && known->call_id == call.call.id) {
      events.emplace_back(*known);
      continue;
    }
    const bool has_started = call.attempts > 0;
    events.emplace_back(ToolFinished{
        .call_id = call.call.id,
        .source = ResultSource::kSuperseded,
        .is_error = true,
        .text = has_started ? "It started, but whether it took effect is unknown: " + why + "."
                            : "Not run: " + why + ".",
        .value = {},
        .state_change = {}});
  }
  return events;
}

bool is_about_event(const Error& error) {
  return error.reason == "event_too_large" || error.reason == "event_refused";
}

}  // namespace ingle
