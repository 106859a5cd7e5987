#include "ingle/signals.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "ingle/core/check.h"

namespace ingle::app {
namespace {

constexpr char kEnd = 'e';
constexpr char kInterrupt = 'i';
constexpr char kTerminate = 't';
constexpr int kInterruptedExitCode = 130;

// A signal handler can reach nothing but this.
std::atomic<int> write_end = -1;
std::atomic<bool> was_interrupted = false;
std::atomic<bool> is_between_turns = false;  // Of a chat.
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void send(char what) {
  while (::write(write_end.load(), &what, 1) < 0 && errno == EINTR) {
  }
}

extern "C" void on_signal(int signal) {
  const int kept_errno = errno;
  if (signal == SIGINT && !is_between_turns && was_interrupted.exchange(true)) {
    // The first one has not ended it: something does not listen. What is logged stays and can be
    // resumed.
    ::_exit(kInterruptedExitCode);
  }
  send(signal == SIGINT ? kInterrupt : kTerminate);
  errno = kept_errno;
}

void handle(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

/// Not through a stream, which other threads use.
void say(std::string_view line) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace

Signals::Signals() {
  std::array<int, 2> ends{};
  INGLE_CHECK(::pipe2(ends.data(), O_CLOEXEC) == 0, "a pipe for signals");
  read_end_ = ends[0];
  write_end = ends[1];
  INGLE_CHECK(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) == 0, "a pipe to wake a reader");
  wake_read_end_ = ends[0];
  wake_write_end_ = ends[1];
  thread_ = std::jthread([this] { serve(); });
  handle(SIGINT, &on_signal);
  handle(SIGTERM, &on_signal);
  handle(SIGPIPE, SIG_IGN);
}

Signals::~Signals() {
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
  send(kEnd);
  thread_.join();
  ::close(write_end.exchange(-1));
  ::close(read_end_);
  ::close(wake_read_end_);
  ::close(wake_write_end_);
}

CancelSource Signals::cancel_source() const {
  const MutexLock lock(mutex_);
  return cancel_;
}

std::optional<std::string> Signals::pause_requested() const {
  return is_pause_requested_ ? std::optional<std::string>("terminated") : std::nullopt;
}

CancelSource Signals::begin_turn() {
  const MutexLock lock(mutex_);
  has_turns_ = true;
  cancel_ = CancelSource();
  was_interrupted = false;
  is_between_turns = false;
  return cancel_;
}

void Signals::end_turn() {
  is_between_turns = true;
  was_interrupted = false;
}

bool Signals::take_interrupt() {
  std::array<char, 64> ignored{};
  while (::read(wake_read_end_, ignored.data(), ignored.size()) > 0) {
  }
  return is_interrupted_.exchange(false);
}

void Signals::serve() {
  while (true) {
    char what = kEnd;
    const ssize_t count = ::read(read_end_, &what, 1);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count != 1 || what == kEnd) {
      return;
    }
    if (what == kInterrupt) {
      interrupt();
    } else {
      terminate();
    }
  }
}

void Signals::interrupt() {
  if (is_between_turns) {
    is_interrupted_ = true;
    wake();
    return;
  }
  // Behind "^C", or half an answer. Said first: who is cancelled relies on it.
  say(has_turns_ && ::isatty(STDERR_FILENO) == 1 ? "\n" : "");
  say("ingle: stopping; once more to quit at once\n");
  cancel_source().cancel(CancelReason::kUser);
}

void Signals::terminate() {
  const bool is_second = is_pause_requested_.exchange(true);
  if (is_between_turns) {
    wake();
  } else if (is_second) {
    cancel_source().cancel(CancelReason::kShutdown);
    say("ingle: stopping\n");
  } else {
    say("ingle: pausing at the next safe point; once more to stop\n");
  }
}

void Signals::wake() const {
  // A pipe that is full wakes as well.
  [[maybe_unused]] const auto written = ::write(wake_write_end_, "", 1);
}

}  // namespace ingle::app
