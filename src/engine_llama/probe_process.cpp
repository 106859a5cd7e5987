#include "engine_llama/probe_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "ingle/core/utf8.h"

namespace ingle {
namespace {

constexpr std::size_t kKeptOutput = 1000;
constexpr int kPollMilliseconds = 20;

Error probe_failed(const std::string& what, Json details = {}) {
  return {ErrorCode::kInternal, "model_probe_failed",
          "the model could not be tried in a child process: " + what, std::move(details)};
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() { reset(); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  [[nodiscard]] int get() const { return fd_; }
  void reset() {
    if (fd_ >= 0) {
      close(std::exchange(fd_, -1));
    }
  }

 private:
  int fd_;
};

/// A running child; killed and reaped at the latest by the destructor.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  ~Child() {
    if (!status_) {
      kill(-pid_, SIGKILL);
      while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
      }
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// The wait status once it has ended.
  std::optional<int> poll_status() {
    int status = 0;
    if (!status_ && waitpid(pid_, &status, WNOHANG) == pid_) {
      status_ = status;
    }
    return status_;
  }

 private:
  pid_t pid_;
  std::optional<int> status_;
};

/// posix_spawn with stdin and stdout on /dev/null and stderr on `errors`; returns an errno.
int spawn(std::vector<std::string> arguments, int errors, pid_t& pid) {
  std::vector<char*> argv;
  for (std::string& argument : arguments) {
    argv.push_back(argument.data());
  }
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
#ifdef __GLIBC__
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  const int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Reads what comes within the time; keeps the last bytes. False when nothing came.
bool collect_output(FileDescriptor& source, int milliseconds, std::string& output) {
  pollfd poll_entry{source.get(), POLLIN, 0};  // a negative descriptor only waits
  if (poll(&poll_entry, 1, milliseconds) <= 0 || source.get() < 0) {
    return false;
  }
  std::array<char, 4096> block{};
  const ssize_t count = read(source.get(), block.data(), block.size());
  if (count > 0) {
    output.append(block.data(), static_cast<std::size_t>(count));
    output.erase(0, output.size() - std::min(output.size(), kKeptOutput));
  } else if (count == 0 || errno != EINTR) {
    source.reset();
  }
  return count > 0;
}

/// The last line of what was written, as something to append to a message.
std::string quoted(std::string output) {
  while (!output.empty() && (output.back() == '\n' || output.back() == '\r')) {
    output.pop_back();
  }
  const std::size_t line = output.rfind('\n');
  const std::string last = line == std::string::npos ? output : output.substr(line + 1);
  return last.empty() ? "" : "; it says: " + sanitize_utf8(last);
}

Result<void> judge(int status, const std::string& output) {
  if (WIFSIGNALED(status)) {
    return probe_failed(
        "it crashed (" + std::string(strsignal(WTERMSIG(status))) + ")" + quoted(output),
        json{{"signal", WTERMSIG(status)}});
  }
  if (const int code = WEXITSTATUS(status); code != 0) {
    return probe_failed("it ended with status " + std::to_string(code) + quoted(output),
                        json{{"exit_code", code}});
  }
  return {};
}

}  // namespace

Result<void> run_probe(const Call& call, const std::vector<std::string>& command,
                       const std::filesystem::path& path, std::chrono::milliseconds limit) {
  INGLE_RETURN_IF_ERROR(call.check());
  if (command.empty()) {
    return probe_failed("there is no command for it");
  }
  std::vector<std::string> arguments = command;
  arguments.push_back(path.string());

  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) {
    return probe_failed(std::strerror(errno));
  }
  FileDescriptor output_end(ends[0]);
  FileDescriptor input_end(ends[1]);
  pid_t pid = 0;
  if (const int error = spawn(std::move(arguments), input_end.get(), pid); error != 0) {
    return probe_failed(command.front() + ": " + std::strerror(error));
  }
  Child child(pid);
  input_end.reset();

  const Deadline end = Deadline::after(limit);
  std::string output;
  for (;;) {
    const auto status = child.poll_status();
    collect_output(output_end, status ? 0 : kPollMilliseconds, output);
    if (status) {
      while (collect_output(output_end, 0, output)) {
      }
      return judge(*status, output);
    }
    INGLE_RETURN_IF_ERROR(call.check());
    if (end.has_passed()) {
      return probe_failed("it did not end within " + std::to_string(limit.count()) + " ms");
    }
  }
}

}  // namespace ingle
