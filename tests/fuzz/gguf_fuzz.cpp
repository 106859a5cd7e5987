// The header reader on any bytes: it answers, and what it answers agrees with the file's length.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "ingle/core/check.h"
#include "ingle/gguf/gguf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int file = memfd_create("gguf", MFD_CLOEXEC);
  static const std::string path = "/proc/self/fd/" + std::to_string(file);
  INGLE_CHECK(ftruncate(file, 0) == 0, "memfd");
  INGLE_CHECK(pwrite(file, data, size, 0) == static_cast<ssize_t>(size), "memfd");

  const auto header = ingle::read_gguf_header(path);
  if (header.ok()) {
    INGLE_CHECK(header->file_bytes == size, "wrong length");
    INGLE_CHECK(header->version == 2 || header->version == 3, "wrong version");
    INGLE_CHECK(header->kv_values_per_token >= 0, "negative cache");
  } else {
    INGLE_CHECK(!header.error().reason.empty(), "an error without a reason");
  }
  return 0;
}
