#include "ingle/agent/run_handle.h"

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "ingle/core/sync.h"

namespace ingle {
namespace {

/// Joins `next` to `last` when both are text of the same kind.
bool join(RunUpdate& last, const Delta& next) {
  auto* delta = std::get_if<Delta>(&last);
  if (delta == nullptr) {
    return false;
  }
  if (auto* text = std::get_if<TextDelta>(delta)) {
    if (const auto* more = std::get_if<TextDelta>(&next)) {
      text->text += more->text;
      return true;
    }
  }
  if (auto* reasoning = std::get_if<ReasoningDelta>(delta)) {
    if (const auto* more = std::get_if<ReasoningDelta>(&next)) {
      reasoning->text += more->text;
      return true;
    }
  }
  return false;
}

/// Between the run's thread, which never waits here, and the readers, who do.
class UpdateQueue final : public RunObserver {
 public:
  void on_event(const Event& event) override {
    const MutexLock lock(mutex_);
    updates_.emplace_back(event);
    changed_.notify_one();
  }

  void on_delta(const Delta& delta) override {
    const MutexLock lock(mutex_);
    if (updates_.empty() || !join(updates_.back(), delta)) {
      updates_.emplace_back(delta);
    }
    changed_.notify_one();
  }

  void close(Result<RunReport> report) {
    const MutexLock lock(mutex_);
    report_ = std::move(report);
    changed_.notify_all();
  }

  std::optional<RunUpdate> next(const Call& call) {
    MutexLock lock(mutex_);
    const auto is_ready = [this]() INGLE_NO_THREAD_SAFETY_ANALYSIS {
      return !updates_.empty() || report_.has_value();
    };
    if (call.deadline.is_never()) {
      changed_.wait(lock, call.stop, is_ready);
    } else {
      changed_.wait_until(lock, call.stop, call.deadline.at(), is_ready);
    }
    if (updates_.empty()) {
      return std::nullopt;
    }
    std::optional<RunUpdate> update(std::move(updates_.front()));
    updates_.pop_front();
    return update;
  }

  Result<RunReport> wait() {
    MutexLock lock(mutex_);
    changed_.wait(lock, [this]() INGLE_NO_THREAD_SAFETY_ANALYSIS { return report_.has_value(); });
    return *report_;
  }

 private:
  Mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<RunUpdate> updates_ INGLE_GUARDED_BY(mutex_);
  std::optional<Result<RunReport>> report_ INGLE_GUARDED_BY(mutex_);
};

/// A store or a tool's description may throw where `run` does not catch it. On a thread of ours
/// that would end the process.
template <class Work>
Result<RunReport> guarded(Work work) {
  const auto failed = [](const std::string& what) {
    return Error{.code = ErrorCode::kInternal,
                 .reason = "run_failed",
                 .message = "the run threw" + what,
                 .details = {}};
  };
  try {
    return work();
  } catch (const std::exception& exception) {
    return failed(std::string(": ") + exception.what());
  } catch (...) {
    return failed("");
  }
}

}  // namespace

class RunHandle::Impl {
 public:
  using Work = std::function<Result<RunReport>(const Call&, const RunOptions&)>;

  Impl(RunOptions options, Deadline deadline, Work work) {
    options.cancel = cancel_;
    options.observer = &updates_;
    thread_ = std::jthread([this, options = std::move(options), deadline, work = std::move(work)] {
      updates_.close(
          guarded([&] { return work({.stop = cancel_.token(), .deadline = deadline}, options); }));
    });
  }

  ~Impl() { cancel_.cancel(CancelReason::kAbandoned); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  UpdateQueue& updates() { return updates_; }
  CancelSource& source() { return cancel_; }

 private:
  CancelSource cancel_;
  UpdateQueue updates_;
  std::jthread thread_;  ///< Last: joined before what it uses is gone.
};

RunHandle::RunHandle(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RunHandle::~RunHandle() = default;

std::unique_ptr<RunHandle> RunHandle::start(Agent agent, std::shared_ptr<SessionStore> store,
                                            SessionId session, std::string message,
                                            RunOptions options, Deadline deadline) {
  auto work = [agent = std::move(agent), store = std::move(store), session = std::move(session),
               message = std::move(message)](const Call& call, const RunOptions& with) {
    return run(call, agent, *store, session, message, with);
  };
  return std::unique_ptr<RunHandle>(
      new RunHandle(std::make_unique<Impl>(std::move(options), deadline, std::move(work))));
}

std::unique_ptr<RunHandle> RunHandle::start_resume(Agent agent, std::shared_ptr<SessionStore> store,
                                                   SessionId session,
                                                   std::vector<InterruptAnswer> answers,
                                                   RunOptions options, Deadline deadline) {
  auto work = [agent = std::move(agent), store = std::move(store), session = std::move(session),
               answers = std::move(answers)](const Call& call, const RunOptions& with) {
    return resume(call, agent, *store, session, answers, with);
  };
  return std::unique_ptr<RunHandle>(
      new RunHandle(std::make_unique<Impl>(std::move(options), deadline, std::move(work))));
}

std::optional<RunUpdate> RunHandle::next(const Call& call) { return impl_->updates().next(call); }

void RunHandle::cancel(CancelReason reason) { impl_->source().cancel(reason); }

Result<RunReport> RunHandle::wait() { return impl_->updates().wait(); }

}  // namespace ingle
