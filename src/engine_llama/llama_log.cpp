#include "engine_llama/llama_log.h"

#include <ggml.h>
#include <llama.h>

#include <deque>
#include <string_view>
#include <utility>

#include "ingle/core/sync.h"

namespace ingle {
namespace {

constexpr std::size_t kKeptLines = 4;
constexpr std::size_t kMaxLineBytes = 2000;

// llama.cpp has one log per process, so this is the one place with process-wide state.
struct Route {
  Mutex mutex;
  std::shared_ptr<Log> log INGLE_GUARDED_BY(mutex);
};

Route& route() {
  static Route instance;
  return instance;
}

/// What this thread has logged: a line comes in pieces.
struct ThreadLines {
  std::string unfinished;
  ggml_log_level level = GGML_LOG_LEVEL_NONE;
  bool is_collecting = false;
  std::deque<std::string> errors;
};

ThreadLines& thread_lines() {
  thread_local ThreadLines instance;
  return instance;
}

LogLevel our_level(ggml_log_level level) {
  switch (level) {
    case GGML_LOG_LEVEL_ERROR:
      return LogLevel::kError;
    case GGML_LOG_LEVEL_WARN:
      return LogLevel::kInfo;  // its warnings are for model makers
    default:
      return LogLevel::kDebug;
  }
}

void write_line(ThreadLines& lines) {
  std::string line = std::exchange(lines.unfinished, {});
  if (line.empty()) {
    return;
  }
  if (lines.is_collecting && lines.level == GGML_LOG_LEVEL_ERROR) {
    lines.errors.push_back(line);
    if (lines.errors.size() > kKeptLines) {
      lines.errors.pop_front();
    }
  }
  std::shared_ptr<Log> log;
  {
    MutexLock lock(route().mutex);
    log = route().log;
  }
  if (log) {
    log->write(our_level(lines.level), "llama.cpp", line);
  }
}

void on_log(ggml_log_level level, const char* text, void* /*user_data*/) {
  ThreadLines& lines = thread_lines();
  if (level != GGML_LOG_LEVEL_CONT) {
    write_line(lines);
    lines.level = level;
  }
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    lines.unfinished += rest.substr(0, end);
    if (end == std::string_view::npos && lines.unfinished.size() < kMaxLineBytes) {
      return;
    }
    write_line(lines);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
}

void on_abort(const char* message) { on_log(GGML_LOG_LEVEL_ERROR, message, nullptr); }

}  // namespace

void route_llama_log(std::shared_ptr<Log> log) {
  {
    MutexLock lock(route().mutex);
    route().log = std::move(log);
  }
  llama_log_set(on_log, nullptr);  // ggml's as well
  ggml_set_abort_callback(on_abort);
}

LlamaErrorLines::LlamaErrorLines() {
  thread_lines().errors.clear();
  thread_lines().is_collecting = true;
}

LlamaErrorLines::~LlamaErrorLines() { thread_lines().is_collecting = false; }

std::string LlamaErrorLines::text() const {
  std::string joined;
  for (const std::string& line : thread_lines().errors) {
    joined += joined.empty() ? line : "; " + line;
  }
  return joined;
}

std::string LlamaErrorLines::quoted() const {
  const std::string lines = text();
  return lines.empty() ? "" : "; llama.cpp says: " + lines;
}

}  // namespace ingle
