#include "session/random_log.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "session/sample_events.h"

namespace ingle::session_samples {

std::vector<Event> RandomLog::make(std::size_t length) {
  std::vector<Event> out;
  out.push_back(event(1, SessionStarted{kEventFormatVersion, text()}));
  while (out.size() < length) {
    Event next_event = event(std::ssize(out) + 1, next());
    next_event.time += std::chrono::milliseconds(below(1000));
    out.push_back(std::move(next_event));
  }
  return out;
}

EventBody RandomLog::next() {
  if (chance(4)) {
    return MessageAdded{Message::user(text())};
  }
  if (!is_active_) {
    return next_outside_run();
  }
  if (chance(3)) {
    // The process died and another goes on.
    return RunResumed{*run_, {{"t", text()}}, text()};
  }
  if (chance(3)) {
    return ModeStateSet{value(2)};
  }
  if (chance(4)) {
    return end_run();
  }
  if (OpenCall* call = any_open_call()) {
    return next_of_call(*call);
  }
  return next_without_open_call();
}

EventBody RandomLog::next_outside_run() {
  if (OpenCall* call = any_with_interrupt(); call != nullptr && chance(60)) {
    return resolve(*call, static_cast<InterruptDecision>(below(3)));
  }
  if (can_go_on_ && chance(60)) {
    is_active_ = true;
    return RunResumed{*run_, {}, text()};
  }
  // The conversation moves on: what is open is closed first.
  if (OpenCall* call = any_with_interrupt()) {
    return resolve(*call, InterruptDecision::kReject);
  }
  if (OpenCall* call = any_open_call()) {
    call->status = Status::kFinished;
    return ToolFinished{call->id, ResultSource::kSuperseded, true, text(), {}, {}};
  }
  RunStarted started = run_started(new_id("run"));
  started.limits.model_calls.reset();
  run_ = started.run;
  is_active_ = true;
  can_go_on_ = false;
  batch_.clear();
  return started;
}

EventBody RandomLog::next_of_call(OpenCall& call) {
  if (call.interrupt) {
    return resolve(call, static_cast<InterruptDecision>(below(3)));
  }
  if (chance(10)) {
    call.status = Status::kFinished;
    return ToolFinished{call.id, ResultSource::kInvalid, true, text(), {}, {}};
  }
  switch (call.status) {
    case Status::kProposed: {
      const auto effect = static_cast<GateEffect>(below(3));
      call.status = effect == GateEffect::kAllow ? Status::kAllowed
                    : effect == GateEffect::kAsk ? Status::kAwaiting
                                                 : Status::kProposed;
      return GateDecided{call.id, effect, text(), text()};
    }
    case Status::kAwaiting:
      call.interrupt = InterruptId(new_id("i"));
      return InterruptRaised{*call.interrupt, InterruptKind::kApproval, call.id, text(), text()};
    case Status::kAllowed:
      call.status = Status::kStarted;
      call.is_idempotent = chance(50);
      return ToolStarted{call.id, call.is_idempotent, ++call.attempts};
    case Status::kStarted:
      if (chance(15) && call.is_idempotent) {
        return ToolStarted{call.id, true, ++call.attempts};
      }
      if (chance(15)) {
        call.interrupt = InterruptId(new_id("i"));
        return InterruptRaised{*call.interrupt, InterruptKind::kUnknownOutcome, call.id, "",
                               text()};
      }
      break;
    case Status::kFinished:
      break;
  }
  call.status = Status::kFinished;
  return ToolFinished{call.id, ResultSource::kTool, chance(30), text(), value(3), value(1)};
}

EventBody RandomLog::next_without_open_call() {
  const auto it = std::ranges::find(batch_, false, &OpenCall::is_propagated);
  if (it != batch_.end() && chance(50)) {
    it->is_propagated = true;
    return StateChanged{json{{text(), *value(2)}, {"gone", nullptr}}, {it->id}};
  }
  if (chance(50)) {
    return ModelCalled{text()};
  }
  return reply();
}

EventBody RandomLog::reply() {
  Message message = Message::assistant(text());
  if (chance(30)) {
    message.content.insert(message.content.begin(), ReasoningPart{text()});
  }
  for (std::int64_t count = below(4); count > 0; --count) {
    message.tool_calls.push_back({CallId(new_id("c")), text(), value(3), chance(10) ? "{x" : ""});
  }
  const auto reason = chance(15) ? FinishReason::kLength : FinishReason::kToolCalls;
  batch_.clear();
  if (reason == FinishReason::kToolCalls) {
    for (const ToolCall& call : message.tool_calls) {
      batch_.emplace_back().id = call.id;
    }
  }
  return ModelReplied{message, reason, {below(1000), below(100), below(100)}, {text()}};
}

EventBody RandomLog::end_run() {
  is_active_ = false;
  RunEnded ended{*run_, outcome()};
  can_go_on_ = is_resumable(ended.outcome);
  return ended;
}

EventBody RandomLog::resolve(OpenCall& call, InterruptDecision decision) {
  InterruptResolved resolved{*call.interrupt, decision, text()};
  call.interrupt.reset();
  if (decision == InterruptDecision::kApprove) {
    call.status = Status::kAllowed;
  }
  return resolved;
}

bool RandomLog::chance(int percent) { return below(100) < percent; }

std::int64_t RandomLog::below(std::int64_t bound) {
  return static_cast<std::int64_t>(random_()) % bound;
}

std::string RandomLog::text() {
  static const std::vector<std::string> kTexts = {"",
                                                  "plain",
                                                  "two\nlines",
                                                  "quote\" and \\",
                                                  "\xC3\xA9\xF0\x9F\x98\x80",
                                                  std::string("\0", 1),
                                                  "{\"like\": [\"json\"]}"};
  return kTexts[static_cast<std::size_t>(below(std::ssize(kTexts)))];
}

Json RandomLog::value(int depth) {
  switch (below(depth > 0 ? 8 : 5)) {
    case 0:
      return {};
    case 1:
      return json(below(2) == 0);
    case 2:
      return json(below(1'000'000) - 500'000);
    case 3:
      return json(0.1 * static_cast<double>(below(1000)));
    case 4:
      return json(text());
    case 5: {
      json array = json::array();
      for (std::int64_t i = below(3); i > 0; --i) {
        array.push_back(*value(depth - 1));
      }
      return array;
    }
    default: {
      json object = json::object();
      for (std::int64_t i = below(3); i > 0; --i) {
        object[text()] = *value(depth - 1);
      }
      return object;
    }
  }
}

Outcome RandomLog::outcome() {
  switch (below(7)) {
    case 0:
      return Completed{text(), FinishReason::kLength};
    case 1:
      return ToolResultOutcome{CallId("c"), text(), value(2), text(), value(2), chance(50)};
    case 2:
      return Interrupted{{InterruptId("i1"), InterruptId("i2")}};
    case 3:
      return Paused{text()};
    case 4:
      return Stopped{LimitKind::kWallTime, below(100), below(100)};
    case 5:
      return Cancelled{CancelReason::kUser, text()};
    default:
      return Failed{{ErrorCode::kUnavailable, "engine_failed", text(), value(2)}};
  }
}

RandomLog::OpenCall* RandomLog::any_open_call() {
  std::vector<OpenCall*> open;
  for (OpenCall& call : batch_) {
    if (call.status != Status::kFinished) {
      open.push_back(&call);
    }
  }
  return open.empty() ? nullptr : open[static_cast<std::size_t>(below(std::ssize(open)))];
}

RandomLog::OpenCall* RandomLog::any_with_interrupt() {
  const auto it =
      std::ranges::find_if(batch_, [](const OpenCall& call) { return call.interrupt.has_value(); });
  return it == batch_.end() ? nullptr : &*it;
}

}  // namespace ingle::session_samples
