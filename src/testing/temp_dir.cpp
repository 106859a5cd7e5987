#include "ingle/testing/temp_dir.h"

#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

#include "ingle/core/check.h"

namespace ingle::testing {

TempDir::TempDir() {
  std::string name = (std::filesystem::temp_directory_path() / "ingle-test-XXXXXX").string();
  INGLE_CHECK(::mkdtemp(name.data()) != nullptr, "cannot make a temporary folder");
  path_ = name;
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TempDir::write(const std::filesystem::path& relative,
                                     std::string_view bytes) const {
  const std::filesystem::path path = path_ / relative;
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  INGLE_CHECK(!error, "cannot make a folder for a test");
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  INGLE_CHECK(file.good(), "cannot write a file for a test");
  return path;
}

}  // namespace ingle::testing
