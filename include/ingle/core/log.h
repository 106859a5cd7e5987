/// Diagnostics for developers and operators. Never the answer, never a secret.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace ingle {

enum class LogLevel : std::uint8_t { kDebug, kInfo, kWarning, kError };

[[nodiscard]] std::string_view to_string(LogLevel level);

/// Where diagnostics go. Implementations are thread-safe and return quickly.
class Log {
 public:
  virtual ~Log() = default;
  virtual void write(LogLevel level, std::string_view component, std::string_view text) = 0;
};

/// Drops everything.
[[nodiscard]] std::shared_ptr<Log> null_log();

/// Lines "component: text" of at least `minimum` on stderr.
[[nodiscard]] std::shared_ptr<Log> stderr_log(LogLevel minimum);

}  // namespace ingle
