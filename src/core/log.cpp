#include "ingle/core/log.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "ingle/core/sync.h"
#include "ingle/core/utf8.h"

namespace ingle {
namespace {

/// One line that a terminal only displays: valid UTF-8 whose control characters, C0 and C1 but for
/// the tab, are written out as \xNN. File names and model output reach the log.
std::string printable(std::string_view text) {
  constexpr unsigned char kC1Lead = 0xC2;  // U+0080 to U+009F are C2 80 to C2 9F.
  const std::string clean = sanitize_utf8(text);
  std::string out;
  out.reserve(clean.size());
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const auto byte = static_cast<unsigned char>(clean[i]);
    if (byte == kC1Lead && static_cast<unsigned char>(clean[i + 1]) < 0xA0) {
      ++i;
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(clean[i]));
    } else if (byte == '\n') {
      out += "\\n";
    } else if ((byte < 0x20 && byte != '\t') || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += clean[i];
    }
  }
  return out;
}

class NullLog final : public Log {
 public:
  void write(LogLevel, std::string_view, std::string_view) override {}
};

class StderrLog final : public Log {
 public:
  explicit StderrLog(LogLevel minimum) : minimum_(minimum) {}

  void write(LogLevel level, std::string_view component, std::string_view text) override {
    if (level < minimum_) {
      return;
    }
    const std::string line = fmt::format("{}: {}\n", printable(component), printable(text));
    const MutexLock lock(mutex_);
    // write(2) and not stdio: one system call for the line, and no buffer shared with others.
    std::string_view left = line;
    while (!left.empty()) {
      const ssize_t written = ::write(STDERR_FILENO, left.data(), left.size());
      if (written > 0) {
        left.remove_prefix(static_cast<std::size_t>(written));
      } else if (errno != EINTR) {
        return;  // There is nobody left to tell.
      }
    }
  }

 private:
  const LogLevel minimum_;
  Mutex mutex_;  ///< Keeps lines whole when one needs more than one write.
};

}  // namespace

std::string_view to_string(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "error";
}

std::shared_ptr<Log> null_log() { return std::make_shared<NullLog>(); }

std::shared_ptr<Log> stderr_log(LogLevel minimum) { return std::make_shared<StderrLog>(minimum); }

}  // namespace ingle
