/// A queue between threads with a fixed capacity: a producer waits while it is full.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <optional>
#include <stop_token>
#include <utility>

#include "ingle/core/sync.h"

namespace ingle {

/// Any number of producers and consumers. Overflow rule: `push` blocks, `try_push` refuses.
/// `close` wakes everyone: later pushes are refused, pops drain what is left and then end.
template <class T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t capacity) : capacity_(capacity) {}
  BoundedQueue(const BoundedQueue&) = delete;
  BoundedQueue& operator=(const BoundedQueue&) = delete;

  /// Waits for room. False when the queue is closed or `stop` is requested first.
  bool push(T item, const std::stop_token& stop = {}) {
    MutexLock lock(mutex_);
    not_full_.wait(lock, stop, [this] { return is_ready_for_push(); });
    if (closed_ || items_.size() >= capacity_) {
      return false;
    }
    items_.push_back(std::move(item));
    not_empty_.notify_one();
    return true;
  }

  /// False when the queue is full or closed; never waits.
  bool try_push(T item) {
    MutexLock lock(mutex_);
    if (closed_ || items_.size() >= capacity_) {
      return false;
    }
    items_.push_back(std::move(item));
    not_empty_.notify_one();
    return true;
  }

  /// Waits for an item. Empty when the queue is closed and drained, or `stop` is requested.
  std::optional<T> pop(const std::stop_token& stop = {}) {
    MutexLock lock(mutex_);
    not_empty_.wait(lock, stop, [this] { return is_ready_for_pop(); });
    if (items_.empty()) {
      return std::nullopt;
    }
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    not_full_.notify_one();
    return item;
  }

  void close() {
    MutexLock lock(mutex_);
    closed_ = true;
    not_empty_.notify_all();
    not_full_.notify_all();
  }

 private:
  bool is_ready_for_push() const INGLE_NO_THREAD_SAFETY_ANALYSIS {
    return closed_ || items_.size() < capacity_;
  }
  bool is_ready_for_pop() const INGLE_NO_THREAD_SAFETY_ANALYSIS {
    return closed_ || !items_.empty();
  }

  const std::size_t capacity_;
  Mutex mutex_;
  std::condition_variable_any not_empty_;
  std::condition_variable_any not_full_;
  std::deque<T> items_ INGLE_GUARDED_BY(mutex_);
  bool closed_ INGLE_GUARDED_BY(mutex_) = false;
};

}  // namespace ingle
