#include "ingle/core/hash.h"

#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <vector>

#include "ingle/core/check.h"
#include "ingle/core/utf8.h"

namespace ingle {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 20U;

struct FileCloser {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

struct DigestDeleter {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};

class Sha256 {
 public:
  Sha256() : context_(EVP_MD_CTX_new()) {
    INGLE_CHECK(context_ != nullptr, "no memory for a digest");
    INGLE_CHECK(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1, "no SHA-256");
  }

  void update(const void* data, std::size_t size) {
    INGLE_CHECK(EVP_DigestUpdate(context_.get(), data, size) == 1, "SHA-256 failed");
  }

  /// Once, at the end.
  std::string finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    INGLE_CHECK(EVP_DigestFinal_ex(context_.get(), digest.data(), &size) == 1, "SHA-256 failed");
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    hex.reserve(std::size_t{2} * size);
    for (const unsigned char byte : std::span(digest).first(size)) {
      hex += kDigits[byte >> 4U];
      hex += kDigits[byte & 0xFU];
    }
    return hex;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, DigestDeleter> context_;
};

Error file_error(const std::filesystem::path& path, int error_number) {
  // The name only: messages may reach people who should not learn where things lie.
  const std::string name = sanitize_utf8(path.filename().string());
  const std::string cause = std::generic_category().message(error_number);
  const Json details = json{{"file", name}, {"cause", cause}};
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return {ErrorCode::kNotFound, "file_not_found", "there is no file '" + name + "'", details};
    case EACCES:
    case EPERM:
      return {ErrorCode::kPermissionDenied, "file_unreadable",
              "the file '" + name + "' may not be read", details};
    default:
      return {ErrorCode::kUnavailable, "file_read_failed",
              "the file '" + name + "' could not be read: " + cause, details};
  }
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  Sha256 digest;
  digest.update(bytes.data(), bytes.size());
  return digest.finish();
}

Result<std::string> sha256_file(const Call& call, const std::filesystem::path& path) {
  INGLE_RETURN_IF_ERROR(call.check());
  const std::unique_ptr<std::FILE, FileCloser> file(std::fopen(path.c_str(), "rbe"));
  if (file == nullptr) {
    return file_error(path, errno);
  }
  Sha256 digest;
  std::vector<unsigned char> block(kBlockBytes);
  while (true) {
    errno = 0;
    const std::size_t size = std::fread(block.data(), 1, block.size(), file.get());
    if (std::ferror(file.get()) != 0) {
      return file_error(path, errno);
    }
    digest.update(block.data(), size);
    if (size < block.size()) {
      return digest.finish();
    }
    INGLE_RETURN_IF_ERROR(call.check());
  }
}

}  // namespace ingle
