#include "gguf/file_reader.h"

#include <bit>
#include <limits>

namespace ingle {

static_assert(std::endian::native == std::endian::little, "GGUF is read by copying its bytes");

FileReader::FileReader(const std::filesystem::path& path, std::uint64_t file_bytes,
                       std::uint64_t max_read)
    : file_(std::fopen(path.c_str(), "rbe")), file_bytes_(file_bytes), read_budget_(max_read) {}

bool FileReader::fail(Failure failure, std::uint64_t count) {
  if (failure_ == Failure::kNone) {
    failure_ = failure;
    const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - position_;
    wanted_end_ = position_ + (count < room ? count : room);
  }
  return false;
}

bool FileReader::has(std::uint64_t count) {
  if (failure_ != Failure::kNone) {
    return false;
  }
  return count <= remaining() || fail(Failure::kPastEnd, count);
}

bool FileReader::read_bytes(void* out, std::size_t count) {
  if (!has(count)) {
    return false;
  }
  if (count > read_budget_) {
    return fail(Failure::kTooLarge, count);
  }
  if (count != 0 && std::fread(out, 1, count, file_.get()) != count) {
    // A file that became shorter since it was measured ends here as well.
    return fail(std::feof(file_.get()) != 0 ? Failure::kPastEnd : Failure::kIo, count);
  }
  read_budget_ -= count;
  position_ += count;
  return true;
}

bool FileReader::skip(std::uint64_t count) {
  if (!has(count)) {
    return false;
  }
  if (fseeko(file_.get(), static_cast<off_t>(count), SEEK_CUR) != 0) {
    return fail(Failure::kIo, count);
  }
  position_ += count;
  return true;
}

bool FileReader::read_text(std::uint64_t count, std::string& out) {
  if (!has(count)) {
    return false;
  }
  out.resize(count);
  return read_bytes(out.data(), out.size());
}

}  // namespace ingle
