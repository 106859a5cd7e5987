/// For tests: random sessions that obey the rules, made from a model of the rules that is not
/// `apply`.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ingle/session/event.h"

namespace ingle::session_samples {

class RandomLog {
 public:
  explicit RandomLog(std::uint32_t seed) : random_(seed) {}

  /// A log of `length` events.
  std::vector<Event> make(std::size_t length);

 private:
  enum class Status { kProposed, kAwaiting, kAllowed, kStarted, kFinished };
  struct OpenCall {
    CallId id;
    Status status = Status::kProposed;
    std::int64_t attempts = 0;
    bool is_idempotent = false;
    bool is_propagated = false;
    std::optional<InterruptId> interrupt;
  };

  EventBody next();
  EventBody next_outside_run();
  EventBody next_of_call(OpenCall& call);
  EventBody next_without_open_call();
  EventBody reply();
  EventBody end_run();
  EventBody resolve(OpenCall& call, InterruptDecision decision);

  bool chance(int percent);
  std::int64_t below(std::int64_t bound);
  std::string text();
  Json value(int depth);
  Outcome outcome();
  OpenCall* any_open_call();
  OpenCall* any_with_interrupt();
  std::string new_id(const char* prefix) { return prefix + std::to_string(++ids_); }

  std::mt19937 random_;
  std::int64_t ids_ = 0;
  std::optional<RunId> run_;
  bool is_active_ = false;
  bool can_go_on_ = false;
  std::vector<OpenCall> batch_;
};

}  // namespace ingle::session_samples
