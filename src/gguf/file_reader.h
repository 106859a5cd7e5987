/// Reads a file forward through a small buffer and never past its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace ingle {

/// After the first failure every call fails; `failure` says why.
class FileReader {
 public:
  enum class Failure : std::uint8_t {
    kNone,
    kPastEnd,   ///< More bytes were asked for than the file has.
    kTooLarge,  ///< More bytes were asked for than may be read (`max_read`).
    kIo,        ///< The system could not read.
  };

  /// `file_bytes` is the file's length; at most `max_read` bytes are read, skipped ones aside.
  FileReader(const std::filesystem::path& path, std::uint64_t file_bytes, std::uint64_t max_read);

  [[nodiscard]] bool is_open() const { return file_ != nullptr; }
  [[nodiscard]] Failure failure() const { return failure_; }
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::uint64_t remaining() const { return file_bytes_ - position_; }
  /// Where the bytes that a failed call asked for would have ended (saturating).
  [[nodiscard]] std::uint64_t wanted_end() const { return wanted_end_; }

  [[nodiscard]] bool read_bytes(void* out, std::size_t count);
  [[nodiscard]] bool skip(std::uint64_t count);

  /// A little-endian number.
  template <class T>
  [[nodiscard]] bool read(T& out) {
    static_assert(std::is_arithmetic_v<T>);
    return read_bytes(&out, sizeof(T));
  }

  /// `count` bytes as text. The caller bounds `count`.
  [[nodiscard]] bool read_text(std::uint64_t count, std::string& out);

 private:
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  bool fail(Failure failure, std::uint64_t count);
  bool has(std::uint64_t count);

  std::unique_ptr<std::FILE, Closer> file_;
  std::uint64_t file_bytes_;
  std::uint64_t read_budget_;
  std::uint64_t position_ = 0;
  std::uint64_t wanted_end_ = 0;
  Failure failure_ = Failure::kNone;
};

}  // namespace ingle
