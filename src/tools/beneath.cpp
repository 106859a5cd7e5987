#include "tools/beneath.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <utility>

#include "ingle/core/utf8.h"

namespace ingle::tools {
namespace {

constexpr std::size_t kMaxPathBytes = 4096;
constexpr int kMaxLinks = 40;  // As in the kernel.
constexpr int kReadFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

Error outside(std::string_view path) {
  return {
      ErrorCode::kPermissionDenied,
      "path_outside",
      fmt::format("{} is outside the folder. Use a path inside it, without a / at the start and "
                  "without \"..\".",
                  printable(path)),
      {}};
}

Error open_error(int error, std::string_view path) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return {ErrorCode::kNotFound,
              "path_not_found",
              fmt::format("There is no {}.", printable(path)),
              {}};
    case ENAMETOOLONG:
      return {
          ErrorCode::kNotFound, "path_not_found", "There is no file with such a long name.", {}};
    case EXDEV:
    case ELOOP:
      return outside(path);
    case EACCES:
    case EPERM:
      return {ErrorCode::kPermissionDenied,
              "path_unreadable",
              fmt::format("{} may not be read.", printable(path)),
              {}};
    case ENXIO:
    case ENODEV:
      return {ErrorCode::kPermissionDenied,
              "path_unreadable",
              fmt::format("{} is not a regular file.", printable(path)),
              {}};
    default:
      return {ErrorCode::kUnavailable,
              "path_open_failed",
              fmt::format("{} cannot be opened now.", printable(path)),
              {}};
  }
}

/// The kernel's own confinement. -1 with errno; ENOSYS where there is none.
int open_confined(int root, const char* path) {
  open_how how{};
  how.flags = static_cast<decltype(how.flags)>(kReadFlags);
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
  // EAGAIN: something was renamed meanwhile, so that the kernel cannot be sure.
  constexpr int kTries = 16;
  int result = -1;
  for (int i = 0; i < kTries; ++i) {
    result = static_cast<int>(::syscall(SYS_openat2, root, path, &how, sizeof how));
    if (result >= 0 || (errno != EAGAIN && errno != EINTR)) {
      break;
    }
  }
  // A sandbox that does not know the call may refuse it by EPERM.
  if (result < 0 && (errno == EPERM || errno == EINVAL || errno == E2BIG)) {
    errno = ENOSYS;
  }
  return result;
}

void append_components(std::deque<std::string>& components, std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const std::size_t end = path.find('/');
    const std::string_view part = path.substr(0, end);
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
    if (!part.empty() && part != ".") {
      parts.emplace_back(part);
    }
  }
  components.insert(components.begin(), parts.begin(), parts.end());
}

/// The same without openat2: each component is opened in the folder before it and no link is
/// followed by the kernel; links are read and their components walked like the others. Going up is
/// returning to a folder that is open already, and never above the root. -1 with errno.
class StepWalk {
 public:
  explicit StepWalk(int root) : root_(root) {}

  int open(std::string_view path) {
    append_components(components_, path);
    while (!components_.empty()) {
      const std::string name = std::move(components_.front());
      components_.pop_front();
      if (name == "..") {
        if (folders_.empty()) {
          errno = EXDEV;
          return -1;
        }
        folders_.pop_back();
        continue;
      }
      if (!step(name)) {
        return -1;
      }
      if (file_.is_open()) {
        return file_.release();
      }
    }
    return ::openat(here(), ".", kReadFlags | O_DIRECTORY);
  }

 private:
  [[nodiscard]] int here() const { return folders_.empty() ? root_ : folders_.back().get(); }

  /// Enters a folder, opens the file at the end of the path, or puts a link's target before the
  /// rest.
  bool step(const std::string& name) {
    FileDescriptor entry(::openat(here(), name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    struct stat status{};
    if (!entry.is_open() || ::fstat(entry.get(), &status) != 0) {
      return false;
    }
    if (S_ISLNK(status.st_mode)) {
      return follow(entry.get());
    }
    if (S_ISDIR(status.st_mode)) {
      folders_.push_back(std::move(entry));
      return true;
    }
    if (!components_.empty()) {
      errno = ENOTDIR;
      return false;
    }
    file_ = FileDescriptor(::openat(here(), name.c_str(), kReadFlags | O_NOFOLLOW));
    return file_.is_open();
  }

  bool follow(int link) {
    std::array<char, kMaxPathBytes> target{};
    const ssize_t length = ::readlinkat(link, "", target.data(), target.size());
    if (length < 0) {
      return false;
    }
    const std::string_view text(target.data(), static_cast<std::size_t>(length));
    if (++links_ > kMaxLinks || text.size() == target.size() || text.starts_with('/')) {
      errno = ELOOP;
      return false;
    }
    append_components(components_, text);
    return true;
  }

  const int root_;
  std::vector<FileDescriptor> folders_;  ///< Entered so far, below the root.
  std::deque<std::string> components_;   ///< What is left of the path.
  FileDescriptor file_;
  int links_ = 0;
};

EntryKind kind_of(mode_t mode) {
  return S_ISREG(mode) ? EntryKind::kFile : S_ISDIR(mode) ? EntryKind::kFolder : EntryKind::kOther;
}

/// Kind and size of one name in a folder that is open.
Entry describe_entry(int root, int folder, std::string path, const char* name) {
  Entry entry;
  entry.path = std::move(path);
  struct stat status{};
  if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return entry;
  }
  if (S_ISLNK(status.st_mode)) {
    entry.is_link = true;
    const auto target = open_beneath(root, entry.path);
    if (!target || ::fstat(target->get(), &status) != 0) {
      return entry;
    }
  }
  entry.kind = kind_of(status.st_mode);
  entry.size = entry.kind == EntryKind::kFile ? static_cast<std::int64_t>(status.st_size) : 0;
  return entry;
}

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(other.release()) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  FileDescriptor(std::move(other)).swap(*this);
  return *this;
}

FileDescriptor::~FileDescriptor() {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
}

int FileDescriptor::release() { return std::exchange(descriptor_, -1); }

void FileDescriptor::swap(FileDescriptor& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
}

Result<std::string> normalize_path(std::string_view path) {
  if (path.find('\0') != std::string_view::npos || path.size() > kMaxPathBytes) {
    return Error{ErrorCode::kInvalidArgument,
                 "path_invalid",
                 "That is not a path: write the name of a file, such as notes.txt.",
                 {}};
  }
  std::deque<std::string> components;
  append_components(components, path);
  if (path.starts_with('/') || std::ranges::find(components, "..") != components.end()) {
    return outside(path);
  }
  std::string result = ".";
  for (const std::string& component : components) {
    result = join_path(result, component);
  }
  return result;
}

Result<FileDescriptor> open_beneath(int root, const std::string& path, Confinement confinement) {
  int descriptor = -1;
  errno = ENOSYS;
  if (confinement == Confinement::kAutomatic) {
    descriptor = open_confined(root, path.c_str());
  }
  if (descriptor < 0 && errno == ENOSYS) {
    descriptor = StepWalk(root).open(path);
  }
  if (descriptor < 0) {
    return open_error(errno, path);
  }
  return FileDescriptor(descriptor);
}

Result<FolderContent> read_folder(int root, const std::string& path, std::size_t max_entries) {
  INGLE_TRY(FileDescriptor descriptor, open_beneath(root, path));
  const std::unique_ptr<DIR, CloseFolder> folder(::fdopendir(descriptor.get()));
  if (!folder) {
    if (errno == ENOTDIR) {
      return Error{ErrorCode::kInvalidArgument,
                   "not_a_folder",
                   fmt::format("{} is a file, not a folder.", printable(path)),
                   {}};
    }
    return open_error(errno, path);
  }
  const int number = descriptor.release();  // The stream closes it.
  FolderContent content;
  while (const dirent* item = ::readdir(folder.get())) {
    const std::string_view name = static_cast<const char*>(item->d_name);
    if (name == "." || name == "..") {
      continue;
    }
    if (content.entries.size() == max_entries) {
      content.is_cut = true;
      break;
    }
    content.entries.push_back(describe_entry(root, number, join_path(path, name),
                                             static_cast<const char*>(item->d_name)));
  }
  return content;
}

std::string join_path(std::string_view folder, std::string_view name) {
  return folder == "." ? std::string(name) : fmt::format("{}/{}", folder, name);
}

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? "." : path.substr(0, slash);
}

std::string printable(std::string_view path) {
  constexpr std::size_t kMaxPrintedBytes = 200;
  std::string result = sanitize_utf8(path);
  std::ranges::replace_if(
      result, [](char c) { return (c >= '\0' && c < ' ') || c == '\x7f'; }, '?');
  const std::string_view start = truncate_utf8(result, kMaxPrintedBytes);
  return start.size() < result.size() ? fmt::format("{}...", start) : result;
}

}  // namespace ingle::tools
