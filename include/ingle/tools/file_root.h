/// A folder that tools may read, and no way out of it.
#pragma once

#include <filesystem>
#include <memory>

#include "ingle/core/result.h"

namespace ingle {

/// An open folder. Tools that hold it reach what lies in it and nothing else: absolute paths, ".."
/// and links that lead out are refused by the kernel (openat2, RESOLVE_BENEATH), or step by step
/// where that call is missing. It stays the same folder when it is renamed.
///
/// A value: copies share the open folder, which is closed with the last of them. Thread-safe.
class FileRoot {
 public:
  /// Errors: not_found "folder_not_found"; invalid_argument "not_a_folder"; permission_denied
  /// "folder_unreadable"; unavailable "folder_open_failed".
  static Result<FileRoot> open(const std::filesystem::path& folder);

  /// The open folder's file descriptor: borrowed, valid as long as a copy lives.
  [[nodiscard]] int descriptor() const;

 private:
  struct Folder;
  explicit FileRoot(std::shared_ptr<const Folder> folder);
  std::shared_ptr<const Folder> folder_;
};

}  // namespace ingle
