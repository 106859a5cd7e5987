/// A clock that moves when the test says so.
#pragma once

#include <chrono>

#include "ingle/core/clock.h"
#include "ingle/core/sync.h"

namespace ingle::testing {

/// Thread-safe.
class FakeClock final : public Clock {
 public:
  /// 2026-01-01 00:00:00 UTC.
  static constexpr Timestamp kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

  explicit FakeClock(Timestamp now = kStart) : now_(now) {}

  [[nodiscard]] Timestamp now() const override {
    const MutexLock lock(mutex_);
    return now_;
  }
  [[nodiscard]] std::chrono::steady_clock::time_point steady_now() const override {
    const MutexLock lock(mutex_);
    return steady_now_;
  }

  /// Both clocks move on.
  void advance(std::chrono::milliseconds duration) {
    const MutexLock lock(mutex_);
    now_ += duration;
    steady_now_ += duration;
  }

  /// The time of day is set, as by an operator: the monotonic clock does not notice.
  void set(Timestamp now) {
    const MutexLock lock(mutex_);
    now_ = now;
  }

 private:
  mutable Mutex mutex_;
  Timestamp now_ INGLE_GUARDED_BY(mutex_);
  std::chrono::steady_clock::time_point steady_now_ INGLE_GUARDED_BY(mutex_){};
};

}  // namespace ingle::testing
