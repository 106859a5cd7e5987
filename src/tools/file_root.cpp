#include "ingle/tools/file_root.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "tools/beneath.h"

namespace ingle {

struct FileRoot::Folder {
  tools::FileDescriptor descriptor;
};

FileRoot::FileRoot(std::shared_ptr<const Folder> folder) : folder_(std::move(folder)) {}

Result<FileRoot> FileRoot::open(const std::filesystem::path& folder) {
  tools::FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.is_open()) {
    return FileRoot(std::make_shared<const Folder>(Folder{std::move(descriptor)}));
  }
  switch (errno) {
    case ENOENT:
      return Error{ErrorCode::kNotFound,
                   "folder_not_found",
                   fmt::format("there is no folder {}", folder.string()),
                   {}};
    case ENOTDIR:
      return Error{ErrorCode::kInvalidArgument,
                   "not_a_folder",
                   fmt::format("{} is not a folder", folder.string()),
                   {}};
    case EACCES:
      return Error{ErrorCode::kPermissionDenied,
                   "folder_unreadable",
                   fmt::format("the folder {} may not be read", folder.string()),
                   {}};
    default:
      return Error{ErrorCode::kUnavailable,
                   "folder_open_failed",
                   fmt::format("the folder {} cannot be opened", folder.string()),
                   {}};
  }
}

int FileRoot::descriptor() const { return folder_->descriptor.get(); }

}  // namespace ingle
