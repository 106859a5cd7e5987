#include "ingle/session/event.h"

#include "session/event_types.h"

namespace ingle {

std::string_view to_string(GateEffect effect) {
  switch (effect) {
    case GateEffect::kAllow:
      return "allow";
    case GateEffect::kAsk:
      return "ask";
    case GateEffect::kDeny:
      return "deny";
  }
  return "";
}

std::string_view to_string(InterruptKind kind) {
  switch (kind) {
    case InterruptKind::kApproval:
      return "approval";
    case InterruptKind::kUnknownOutcome:
      return "unknown_outcome";
  }
  return "";
}

std::string_view to_string(InterruptDecision decision) {
  switch (decision) {
    case InterruptDecision::kApprove:
      return "approve";
    case InterruptDecision::kReject:
      return "reject";
    case InterruptDecision::kRespond:
      return "respond";
  }
  return "";
}

std::string_view to_string(ResultSource source) {
  switch (source) {
    case ResultSource::kTool:
      return "tool";
    case ResultSource::kInvalid:
      return "invalid";
    case ResultSource::kDenied:
      return "denied";
    case ResultSource::kPerson:
      return "person";
    case ResultSource::kSuperseded:
      return "superseded";
  }
  return "";
}

std::string_view event_type(const EventBody& body) {
  if (const auto* unknown = std::get_if<UnknownEvent>(&body)) {
    return unknown->type;
  }
  return session_internal::kEventTypes[body.index()];
}

}  // namespace ingle
