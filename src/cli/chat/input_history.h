/// What a person entered in earlier chats: a file of theirs alone, bounded.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/result.h"

namespace ingle::cli {

inline constexpr std::size_t kMaxHistoryEntries = 1000;
inline constexpr std::size_t kMaxHistoryEntryBytes = 4096;  ///< Longer ones are not kept.

/// One JSON string a line, appended as they are entered: several chats may share the file, and one
/// that dies loses nothing. It has mode 0600.
class InputHistory final {
 public:
  /// Reads the file, which need not be there, and shortens it when it has grown too long. What is
  /// no entry is left out. Errors: unavailable "history_failed".
  static Result<InputHistory> open(std::filesystem::path file);

  /// The oldest first.
  [[nodiscard]] const std::vector<std::string>& entries() const { return entries_; }

  /// Keeps `text`, unless it is empty, too long or what was kept last; says whether it did. Errors:
  /// unavailable "history_failed".
  Result<bool> add(std::string_view text);

 private:
  explicit InputHistory(std::filesystem::path file) : file_(std::move(file)) {}

  std::filesystem::path file_;
  std::vector<std::string> entries_;
};

}  // namespace ingle::cli
