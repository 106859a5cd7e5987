/// For tests: a log with every event type in it, and events one at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "ingle/session/event.h"

namespace ingle::session_samples {

inline constexpr std::int64_t kStart = 1'796'064'000'000;  ///< Some day in 2026, in milliseconds.

/// Event number `seq`, at `seq` seconds.
inline Event event(std::int64_t seq, EventBody body) {
  return {seq, Timestamp(std::chrono::milliseconds(kStart + 1000 * seq)), std::move(body)};
}

/// Numbers and times the bodies from `first_seq` on.
inline std::vector<Event> events(std::vector<EventBody> bodies, std::int64_t first_seq = 1) {
  std::vector<Event> out;
  for (EventBody& body : bodies) {
    out.push_back(event(first_seq + std::ssize(out), std::move(body)));
  }
  return out;
}

inline ToolCall call(const std::string& id, const std::string& name = "read_file") {
  return {CallId(id), name, json{{"path", id + ".txt"}}, ""};
}

inline Message reply(const std::string& text, std::vector<ToolCall> calls = {}) {
  Message message = Message::assistant(text);
  message.tool_calls = std::move(calls);
  return message;
}

/// Arrays in arrays. Made without recursion, and moved only: copying it would recurse.
inline Json nested(int depth) {
  json value = json::array();
  for (int level = 1; level < depth; ++level) {
    json outer = json::array();
    outer.push_back(std::move(value));
    value = std::move(outer);
  }
  return value;
}

/// The model's reply with these calls.
inline ModelReplied replied(std::vector<ToolCall> calls,
                            FinishReason reason = FinishReason::kToolCalls) {
  return {reply("", std::move(calls)), reason, Usage{100, 40, 7}, {}};
}

inline RunStarted run_started(const std::string& run = "r1") {
  RunStarted out;
  out.run = RunId(run);
  out.model = "scripted";
  out.mode = "react";
  out.limits.wall_time = std::chrono::seconds(90);
  out.limits.tool_calls = 20;
  out.until = {{"finish"}, true};
  out.tool_fingerprints = {{"read_file", "f1"}, {"write_file", "f2"}};
  out.policy_fingerprint = "p1";
  out.settings = json{{"model", "m"}, {"tools", {"read_file"}}};
  return out;
}

/// What a session of one run with two calls leaves: one is allowed by the policy and fails, one by
/// a person after a restart. Every known type occurs.
inline std::vector<EventBody> whole_session() {
  const ToolCall read = call("c1");
  const ToolCall write = call("c2", "write_file");
  Message first = reply("I look.", {read, write});
  first.content.insert(first.content.begin(), ReasoningPart{"two calls"});
  return {
      SessionStarted{kEventFormatVersion, "helper"},
      MessageAdded{Message::user("h\xC3\xA9llo \"you\"\n")},
      run_started(),
      ModelCalled{"scripted"},
      ModelReplied{first, FinishReason::kToolCalls, {120, 100, 9}, {"temperature is ignored"}},
      GateDecided{CallId("c1"), GateEffect::kAllow, "allow read_file", "d1"},
      GateDecided{CallId("c2"), GateEffect::kAsk, "default", "d2"},
      InterruptRaised{InterruptId("i1"), InterruptKind::kApproval, CallId("c2"), "d2", "Write?"},
      ToolStarted{CallId("c1"), true, 1},
      ToolFinished{CallId("c1"), ResultSource::kTool, true, "no such file", {}, {}},
      RunEnded{RunId("r1"), Interrupted{{InterruptId("i1")}}},
      InterruptResolved{InterruptId("i1"), InterruptDecision::kApprove, ""},
      RunResumed{RunId("r1"), {{"read_file", "f1"}, {"write_file", "f2"}}, "p1"},
      ToolStarted{CallId("c2"), false, 1},
      ToolFinished{CallId("c2"), ResultSource::kTool, false, "done", json{{"bytes", 3}},
                   json{{"written", {"c2.txt"}}}},
      StateChanged{json{{"written", {"c2.txt"}}}, {CallId("c2")}},
      ModeStateSet{json{{"step", 2}}},
      ModelCalled{"scripted"},
      ModelReplied{reply("Written."), FinishReason::kStop, {150, 130, 4}, {}},
      RunEnded{RunId("r1"), Completed{"Written.", FinishReason::kStop}},
  };
}

}  // namespace ingle::session_samples
