/// A mutex that clang's thread-safety analysis understands, std::mutex being opaque to it in
/// libstdc++.
#pragma once

#include <mutex>

#if defined(__clang__)
#define INGLE_THREAD_ANNOTATION_(x) __attribute__((x))
#else
#define INGLE_THREAD_ANNOTATION_(x)
#endif
#define INGLE_CAPABILITY(x) INGLE_THREAD_ANNOTATION_(capability(x))
#define INGLE_SCOPED_CAPABILITY INGLE_THREAD_ANNOTATION_(scoped_lockable)
#define INGLE_GUARDED_BY(x) INGLE_THREAD_ANNOTATION_(guarded_by(x))
#define INGLE_REQUIRES(...) INGLE_THREAD_ANNOTATION_(requires_capability(__VA_ARGS__))
#define INGLE_ACQUIRE(...) INGLE_THREAD_ANNOTATION_(acquire_capability(__VA_ARGS__))
#define INGLE_RELEASE(...) INGLE_THREAD_ANNOTATION_(release_capability(__VA_ARGS__))
#define INGLE_NO_THREAD_SAFETY_ANALYSIS INGLE_THREAD_ANNOTATION_(no_thread_safety_analysis)

namespace ingle {

class INGLE_CAPABILITY("mutex") Mutex {
 public:
  void lock() INGLE_ACQUIRE() { mutex_.lock(); }
  void unlock() INGLE_RELEASE() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

/// Locks for its lifetime. Has `lock` and `unlock`, so condition_variable_any can wait on it.
class INGLE_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) INGLE_ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~MutexLock() INGLE_RELEASE() { mutex_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

  // Only for condition_variable_any, which unlocks and locks again around a wait.
  void lock() INGLE_NO_THREAD_SAFETY_ANALYSIS { mutex_.lock(); }
  void unlock() INGLE_NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock(); }

 private:
  Mutex& mutex_;
};

}  // namespace ingle
