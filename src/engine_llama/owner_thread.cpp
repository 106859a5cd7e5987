#include "engine_llama/owner_thread.h"

#include <algorithm>
#include <utility>

namespace ingle {

/// Lives on the stack of `run`; the state's mutex guards `phase`.
struct OwnerThread::Job {
  enum class Phase : std::uint8_t { kWaiting, kRunning, kDone, kWithdrawn };

  const Call& call;
  const Work& work;
  Phase phase = Phase::kWaiting;
};

OwnerThread::OwnerThread()
    : state_(std::make_shared<State>()),
      thread_([state = state_](const std::stop_token& shutdown) { serve(shutdown, *state); }) {}

OwnerThread::~OwnerThread() {
  {
    MutexLock lock(state_->mutex);
    state_->is_closed = true;
    for (Job* job : state_->waiting) {
      job->phase = Job::Phase::kWithdrawn;
    }
    state_->waiting.clear();
    state_->changed.notify_all();
  }
  thread_.request_stop();
  thread_.join();
}

OwnerThread::Ran OwnerThread::run(const Call& call, const Work& work) {
  const std::shared_ptr<State> state = state_;
  Job job{call, work};
  MutexLock lock(state->mutex);
  if (state->is_closed) {
    return Ran::kWithdrawn;
  }
  state->waiting.push_back(&job);
  state->changed.notify_all();

  const auto has_started = [&job] { return job.phase != Job::Phase::kWaiting; };
  if (call.deadline.is_never()) {
    state->changed.wait(lock, call.stop, has_started);
  } else {
    state->changed.wait_until(lock, call.stop, call.deadline.at(), has_started);
  }
  if (!has_started()) {
    std::erase(state->waiting, &job);
    return Ran::kWithdrawn;
  }
  // It borrows what the caller owns, so from here on only its end counts; it polls the call itself.
  state->changed.wait(lock, [&job] { return job.phase != Job::Phase::kRunning; });
  return job.phase == Job::Phase::kDone ? Ran::kToTheEnd : Ran::kWithdrawn;
}

std::size_t OwnerThread::waiting_count() const {
  MutexLock lock(state_->mutex);
  return state_->waiting.size();
}

void OwnerThread::serve(const std::stop_token& shutdown, State& state) {
  MutexLock lock(state.mutex);
  for (;;) {
    state.changed.wait(lock, shutdown, [&state]() INGLE_NO_THREAD_SAFETY_ANALYSIS {
      return !state.waiting.empty();
    });
    if (state.waiting.empty()) {
      return;  // asked to stop, and nothing waits
    }
    Job* const job = state.waiting.front();
    state.waiting.pop_front();
    job->phase = Job::Phase::kRunning;
    state.changed.notify_all();
    lock.unlock();
    job->work(StopCheck(job->call, shutdown));
    lock.lock();
    job->phase = Job::Phase::kDone;
    state.changed.notify_all();
  }
}

}  // namespace ingle
