/// The time of day, behind an interface so that tests own it.
#pragma once

#include <chrono>

namespace ingle {

using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;  ///< UTC, milliseconds.

/// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Timestamp now() const = 0;
  /// Monotonic; for measuring how long something took.
  [[nodiscard]] virtual std::chrono::steady_clock::time_point steady_now() const = 0;
};

/// The clock of this machine.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override;
  [[nodiscard]] std::chrono::steady_clock::time_point steady_now() const override;
};

}  // namespace ingle
