/// What every call that can take time is given: may it go on, and until when?
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <string_view>

#include "ingle/core/result.h"

namespace ingle {

/// A point in time after which work should stop. A value; default: never.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  constexpr Deadline() = default;
  constexpr explicit Deadline(Clock::time_point at) : at_(at) {}
  /// Durations too long for the clock mean never.
  static Deadline after(Clock::duration duration) {
    const Clock::time_point now = Clock::now();
    return duration < Clock::time_point::max() - now ? Deadline(now + duration) : Deadline();
  }

  [[nodiscard]] bool is_never() const { return at_ == Clock::time_point::max(); }
  [[nodiscard]] bool has_passed() const { return !is_never() && Clock::now() >= at_; }
  [[nodiscard]] Clock::time_point at() const { return at_; }

  /// The earlier of the two: going down, a deadline is narrowed and never widened.
  [[nodiscard]] Deadline narrowed(Deadline other) const { return other.at_ < at_ ? other : *this; }

  bool operator==(const Deadline&) const = default;

 private:
  Clock::time_point at_ = Clock::time_point::max();
};

/// First parameter of whatever can take more than about 20 ms. Cheap to copy.
struct Call {
  std::stop_token stop = {};  ///< Requested: stop at the next safe point.
  Deadline deadline = {};     ///< Passed: the same.

  [[nodiscard]] bool should_stop() const { return stop.stop_requested() || deadline.has_passed(); }

  /// Errors: cancelled "cancelled", deadline_exceeded "deadline_exceeded".
  [[nodiscard]] Result<void> check() const;
};

/// Why something was cancelled; the first reason wins and ends in the outcome and in the log.
enum class CancelReason : std::uint8_t {
  kNone,        ///< Not cancelled.
  kUser,        ///< A person asked.
  kDeadline,    ///< Time ran out.
  kSuperseded,  ///< A newer request replaced it.
  kAbandoned,   ///< Nobody waits for the answer any more.
  kShutdown,    ///< The process is going down.
};

[[nodiscard]] std::string_view to_string(CancelReason reason);

/// A stop source that remembers why. Copies share the state; all members are thread-safe and
/// `cancel` may be called from any thread, though not from a signal handler.
class CancelSource {
 public:
  CancelSource();

  /// Requests the stop. Returns false when somebody else was first; their reason stays.
  bool cancel(CancelReason reason);

  [[nodiscard]] CancelReason reason() const;
  [[nodiscard]] std::stop_token token() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace ingle
