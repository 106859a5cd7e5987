/// A folder that is gone after the test.
#pragma once

#include <filesystem>
#include <string_view>

namespace ingle::testing {

/// Makes an empty folder under the system's folder for temporary files and removes it, with all
/// that is in it, when it is destroyed. Failures to make or write abort: a test cannot go on
/// without its files.
class TempDir final {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Writes a file, and the folders above it, and returns its full path. `relative` is inside the
  /// folder.
  std::filesystem::path write(const std::filesystem::path& relative, std::string_view bytes) const;

 private:
  std::filesystem::path path_;
};

}  // namespace ingle::testing
