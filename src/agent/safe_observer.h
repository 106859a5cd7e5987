/// An observer is somebody's code: what it throws must not end the run, which is stored, nor unwind
/// an engine's thread.
#pragma once

#include "ingle/agent/run.h"

namespace ingle {

class SafeObserver final : public DeltaSink {
 public:
  /// `observer` may be null: nobody is told.
  explicit SafeObserver(RunObserver* observer) : observer_(observer) {}

  void on_event(const Event& event) {
    tell([&](RunObserver& observer) { observer.on_event(event); });
  }
  void on_delta(const Delta& delta) override {
    tell([&](RunObserver& observer) { observer.on_delta(delta); });
  }

 private:
  template <class Tell>
  void tell(Tell tell) noexcept {
    try {
      if (observer_ != nullptr) {
        tell(*observer_);
      }
    } catch (...) {  // NOLINT(bugprone-empty-catch)
      // It misses this one, and is told of the next.
    }
  }

  RunObserver* observer_;
};

}  // namespace ingle
