#include "session_sqlite/private_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace ingle::session_sqlite_internal {
namespace {

namespace fs = std::filesystem;

Error system_error(const std::string& what, const fs::path& path, int error) {
  return {ErrorCode::kUnavailable,
          "store_failed",
          "cannot " + what + " " + path.string() + ": " + std::generic_category().message(error),
          {}};
}

/// Makes what was created in `folder` durable. Not every file system can, so this may fail.
void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    ::fsync(descriptor);
    ::close(descriptor);
  }
}

Result<void> make_private_folder(const fs::path& folder) {
  std::error_code ignored;
  if (folder.empty() || fs::exists(folder, ignored)) {
    return {};
  }
  if (folder.has_relative_path()) {
    INGLE_RETURN_IF_ERROR(make_private_folder(folder.parent_path()));
  }
  if (::mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
    return system_error("make the folder", folder, errno);
  }
  sync_folder(folder.parent_path());
  return {};
}

}  // namespace

Result<void> make_private_file(const fs::path& path) {
  INGLE_RETURN_IF_ERROR(make_private_folder(path.parent_path()));
  // O_EXCL: closing a descriptor of a file that is in use would drop SQLite's locks in this
  // process.
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0) {
    if (errno == EEXIST) {
      return {};
    }
    return system_error("make the file", path, errno);
  }
  ::close(descriptor);
  sync_folder(path.parent_path());
  return {};
}

}  // namespace ingle::session_sqlite_internal
