/// Opening a path that somebody else wrote, inside a folder and nowhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/result.h"

namespace ingle::tools {

/// Owns an open file descriptor, or none (-1).
class FileDescriptor final {
 public:
  explicit FileDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// Gives the descriptor up: the caller closes it.
  int release();
  void swap(FileDescriptor& other) noexcept;

 private:
  int descriptor_;
};

/// How a path is kept inside. kSteps is for kernels (before Linux 5.6) and sandboxes without
/// openat2.
enum class Confinement : std::uint8_t { kAutomatic, kSteps };

/// `path` without empty and "." components, joined by '/'; "." for the folder itself.
/// Errors: invalid_argument "path_invalid" (a NUL byte, over 4096 bytes); permission_denied
/// "path_outside" (absolute, or with ".."). All messages of this file are for the model.
Result<std::string> normalize_path(std::string_view path);

/// Opens `path` (normalized) below `root` for reading, without blocking. Links that stay inside are
/// followed. Errors: not_found "path_not_found"; permission_denied "path_outside",
/// "path_unreadable"; unavailable "path_open_failed".
Result<FileDescriptor> open_beneath(int root, const std::string& path,
                                    Confinement confinement = Confinement::kAutomatic);

enum class EntryKind : std::uint8_t { kFile, kFolder, kOther };

struct Entry {
  std::string path;  ///< As the file system has it, relative to the root.
  EntryKind kind = EntryKind::kOther;
  std::int64_t size = 0;  ///< Bytes; kFile only.
  /// `kind` and `size` are those of what it leads to; kOther if that is not inside.
  bool is_link = false;
};

struct FolderContent {
  std::vector<Entry> entries;
  bool is_cut = false;  ///< There are more.
};

/// At most `max_entries` entries of the folder `path` (normalized), unsorted, without "." and "..".
/// Errors: as `open_beneath`; invalid_argument "not_a_folder".
Result<FolderContent> read_folder(int root, const std::string& path, std::size_t max_entries);

/// "a/b" of "a" and "b"; "b" of "." and "b".
[[nodiscard]] std::string join_path(std::string_view folder, std::string_view name);

/// The part behind the last '/'.
[[nodiscard]] std::string_view base_name(std::string_view path);

/// The part before it; "." when there is none.
[[nodiscard]] std::string_view folder_of(std::string_view path);

/// A path for a text: valid UTF-8 on one line.
[[nodiscard]] std::string printable(std::string_view path);

}  // namespace ingle::tools
