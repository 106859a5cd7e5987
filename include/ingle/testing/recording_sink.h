/// A sink that keeps what it is given.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ingle/core/sync.h"
#include "ingle/model/generation.h"

namespace ingle::testing {

/// Thread-safe: a test may look while a model generates.
class RecordingSink final : public DeltaSink {
 public:
  using Observer = std::function<void(const Delta&)>;

  /// `observer` is called for each delta after it was recorded, without a lock, on the thread that
  /// generates: to cancel in the middle of a reply, for instance.
  explicit RecordingSink(Observer observer = {}) : observer_(std::move(observer)) {}

  void on_delta(const Delta& delta) override {
    {
      const MutexLock lock(mutex_);
      deltas_.push_back(delta);
    }
    if (observer_) {
      observer_(delta);
    }
  }

  [[nodiscard]] std::vector<Delta> deltas() const {
    const MutexLock lock(mutex_);
    return deltas_;
  }

  /// All text deltas, joined.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const Delta& delta : deltas()) {
      if (const auto* piece = std::get_if<TextDelta>(&delta)) {
        text += piece->text;
      }
    }
    return text;
  }

 private:
  const Observer observer_;
  mutable Mutex mutex_;
  std::vector<Delta> deltas_ INGLE_GUARDED_BY(mutex_);
};

}  // namespace ingle::testing
