#include "cli/chat/input_history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "ingle/core/json.h"

namespace ingle::cli {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

Error failed(const std::string& what, const fs::path& file, int error) {
  return {ErrorCode::kUnavailable,
          "history_failed",
          "cannot " + what + " the history of what was entered, " + file.string() + ": " +
              std::generic_category().message(error),
          {}};
}

std::string encoded(const std::string& text) { return Json(json(text)).dump() + "\n"; }

Result<void> write_all(const fs::path& file, int flags, std::string_view text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, kOwnerOnly);
  if (descriptor < 0) {
    return failed("write", file, errno);
  }
  // Where the file is older than that rule, or came from elsewhere.
  ::fchmod(descriptor, kOwnerOnly);
  // One write: lines of two chats do not mix.
  const ssize_t written = ::write(descriptor, text.data(), text.size());
  const int error = written < 0 ? errno : ENOSPC;
  ::close(descriptor);
  if (std::cmp_not_equal(written, text.size())) {
    return failed("write", file, error);
  }
  return {};
}

/// Replaces the file in one step.
Result<void> rewrite(const fs::path& file, const std::vector<std::string>& entries) {
  std::string text;
  for (const std::string& entry : entries) {
    text += encoded(entry);
  }
  fs::path fresh = file;
  fresh += "." + std::to_string(::getpid());
  INGLE_RETURN_IF_ERROR(write_all(fresh, O_TRUNC, text));
  if (::rename(fresh.c_str(), file.c_str()) != 0) {
    const int error = errno;
    ::unlink(fresh.c_str());
    return failed("shorten", file, error);
  }
  return {};
}

}  // namespace

Result<InputHistory> InputHistory::open(std::filesystem::path file) {
  InputHistory history(std::move(file));
  std::ifstream in(history.file_, std::ios::binary);
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    const json entry = json::parse(line, nullptr, false);
    if (entry.is_string() && entry.get_ref<const std::string&>().size() <= kMaxHistoryEntryBytes) {
      history.entries_.push_back(entry.get<std::string>());
    }
  }
  auto& entries = history.entries_;
  if (entries.size() > kMaxHistoryEntries) {
    entries.erase(entries.begin(), entries.end() - kMaxHistoryEntries);
  }
  if (lines > 2 * kMaxHistoryEntries) {
    INGLE_RETURN_IF_ERROR(rewrite(history.file_, entries));
  }
  return history;
}

Result<bool> InputHistory::add(std::string_view text) {
  if (text.empty() || text.size() > kMaxHistoryEntryBytes ||
      (!entries_.empty() && entries_.back() == text)) {
    return false;
  }
  entries_.emplace_back(text);
  INGLE_RETURN_IF_ERROR(write_all(file_, O_APPEND, encoded(entries_.back())));
  return true;
}

}  // namespace ingle::cli
