#include "ingle/gguf/gguf.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "gguf/file_reader.h"
#include "gguf/ggml_types.h"

namespace ingle {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxRead = std::uint64_t{256} << 20U;
constexpr std::uint64_t kMaxKeyBytes = 65535;           // by the specification
constexpr std::uint64_t kMaxKeptBytes = 1U << 20U;      // of a value that we keep
constexpr std::uint64_t kMaxTensorNameBytes = 1024;     // ggml itself allows 63
constexpr std::uint64_t kMinKeyValueBytes = 8 + 4 + 1;  // length, type, value
constexpr std::uint64_t kMinTensorBytes = 8 + 4 + 4 + 8;
constexpr std::uint32_t kMaxDimensions = 4;
constexpr std::int64_t kMaxModelNumber = 1 << 24;  // no layer count or width is beyond this

enum class ValueType : std::uint32_t {
  kUint8,
  kInt8,
  kUint16,
  kInt16,
  kUint32,
  kInt32,
  kFloat32,
  kBool,
  kString,
  kArray,
  kUint64,
  kInt64,
  kFloat64,
};

/// Bytes of a value of fixed size; 0 for strings, arrays and types that do not exist.
std::uint64_t fixed_size(ValueType type) {
  static constexpr std::array<std::uint64_t, 13> kSizes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  const auto index = static_cast<std::uint32_t>(type);
  return index < kSizes.size() ? kSizes[index] : 0;
}

std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    return std::nullopt;
  }
  return result;
}

std::optional<std::uint64_t> sum(std::uint64_t a, std::uint64_t b) {
  std::uint64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) {
    return std::nullopt;
  }
  return result;
}

Error invalid(std::string reason, std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(reason), std::move(message), {}};
}

Error header_invalid(const std::string& what) {
  return invalid("model_header_invalid",
                 "the file's GGUF header is damaged (" + what + "); fetch the file again");
}

Error truncated(std::uint64_t expected, std::uint64_t actual) {
  Error error =
      invalid("model_truncated", "the file is cut short: it has " + std::to_string(actual) +
                                     " bytes and needs at least " + std::to_string(expected) +
                                     "; fetch it again");
  error.details = json{{"expected_bytes", expected}, {"actual_bytes", actual}};
  return error;
}

/// Reads one file from front to back.
class HeaderParser {
 public:
  HeaderParser(const fs::path& path, std::uint64_t file_bytes)
      : reader_(path, file_bytes, kMaxRead) {
    header_.file_bytes = file_bytes;
  }

  Result<GgufHeader> parse() {
    if (!reader_.is_open()) {
      return unreadable();
    }
    INGLE_RETURN_IF_ERROR(read_preamble());
    for (std::uint64_t i = 0; i < key_count_; ++i) {
      INGLE_RETURN_IF_ERROR(read_key_value());
    }
    INGLE_RETURN_IF_ERROR(take_alignment());
    std::uint64_t data_bytes = 0;
    for (std::uint64_t i = 0; i < header_.tensor_count; ++i) {
      INGLE_TRY(const std::uint64_t end, read_tensor());
      data_bytes = std::max(data_bytes, end);
    }
    INGLE_RETURN_IF_ERROR(check_data(data_bytes));
    take_model_numbers();
    return std::move(header_);
  }

 private:
  static Error unreadable() {
    return {ErrorCode::kPermissionDenied,
            "model_unreadable",
            "the model file cannot be read; check its permissions and the disk",
            {}};
  }

  /// What the reader's failure means.
  [[nodiscard]] Error read_error() const {
    switch (reader_.failure()) {
      case FileReader::Failure::kPastEnd:
        return truncated(reader_.wanted_end(), header_.file_bytes);
      case FileReader::Failure::kTooLarge:
        return header_invalid("it is larger than 256 MiB");
      case FileReader::Failure::kNone:
      case FileReader::Failure::kIo:
        break;
    }
    return unreadable();
  }

  Result<void> read_preamble() {
    std::array<char, 4> magic{};
    if (reader_.remaining() < magic.size() || !reader_.read_bytes(magic.data(), magic.size()) ||
        std::string_view(magic.data(), magic.size()) != "GGUF") {
      const bool is_pointer = std::string_view(magic.data(), magic.size()) == "vers";
      return invalid("model_not_gguf",
                     is_pointer ? "the file is not a GGUF model; it looks like a Git LFS pointer: "
                                  "fetch the file that it stands for"
                                : "the file is not a GGUF model; choose a .gguf file");
    }
    if (!reader_.read(header_.version)) {
      return read_error();
    }
    if (header_.version != 2 && header_.version != 3) {
      const bool is_big_endian = (header_.version & 0xFFFFU) == 0;
      return invalid("model_version_unsupported",
                     is_big_endian ? "the file is a big-endian GGUF; choose a little-endian one"
                                   : "the file is GGUF version " + std::to_string(header_.version) +
                                         ", and only 2 and 3 can be read; convert the model again");
    }
    if (!reader_.read(header_.tensor_count) || !reader_.read(key_count_)) {
      return read_error();
    }
    // Each entry takes some bytes, so a count beyond the file's length is a lie.
    if (header_.tensor_count > reader_.remaining() / kMinTensorBytes ||
        key_count_ > reader_.remaining() / kMinKeyValueBytes) {
      const auto tensors = product(header_.tensor_count, kMinTensorBytes);
      const auto keys = product(key_count_, kMinKeyValueBytes);
      const auto needed = tensors && keys ? sum(*tensors, *keys) : std::nullopt;
      const auto end = needed ? sum(*needed, reader_.position()) : std::nullopt;
      // A plausible count in a short file: it was cut. Otherwise the count itself is damaged.
      return end && *end <= kMaxRead ? truncated(*end, header_.file_bytes)
                                     : header_invalid("impossible counts");
    }
    return {};
  }

  Result<std::string> read_string(std::uint64_t max_bytes, const char* what) {
    std::uint64_t length = 0;
    std::string text;
    if (!reader_.read(length)) {
      return read_error();
    }
    if (length > max_bytes) {
      return header_invalid(std::string(what) + " too long");
    }
    if (!reader_.read_text(length, text)) {
      return read_error();
    }
    return text;
  }

  Result<void> skip_string() {
    std::uint64_t length = 0;
    if (!reader_.read(length) || !reader_.skip(length)) {
      return read_error();
    }
    return {};
  }

  Result<void> read_key_value() {
    INGLE_TRY(std::string key, read_string(kMaxKeyBytes, "a key is"));
    if (key.empty() || !keys_.insert(key).second) {
      return header_invalid("a key is empty or there twice");
    }
    std::uint32_t raw_type = 0;
    if (!reader_.read(raw_type)) {
      return read_error();
    }
    const auto type = static_cast<ValueType>(raw_type);
    if (type == ValueType::kString) {
      return read_string_value(key);
    }
    if (type == ValueType::kArray) {
      return read_array(key);
    }
    if (fixed_size(type) == 0) {
      return header_invalid("unknown value type " + std::to_string(raw_type));
    }
    INGLE_TRY(const std::optional<std::int64_t> number, read_number(type));
    if (number) {
      numbers_[std::move(key)] = *number;
    }
    return {};
  }

  /// An integer or boolean; nothing for floats.
  Result<std::optional<std::int64_t>> read_number(ValueType type) {
    std::uint64_t bits = 0;
    const std::uint64_t size = fixed_size(type);
    if (!reader_.read_bytes(&bits, size)) {
      return read_error();
    }
    switch (type) {
      case ValueType::kInt8:
        return std::optional<std::int64_t>(static_cast<std::int8_t>(bits));
      case ValueType::kInt16:
        return std::optional<std::int64_t>(static_cast<std::int16_t>(bits));
      case ValueType::kInt32:
        return std::optional<std::int64_t>(static_cast<std::int32_t>(bits));
      case ValueType::kFloat32:
      case ValueType::kFloat64:
        return std::optional<std::int64_t>();
      default:
        return std::optional<std::int64_t>(std::bit_cast<std::int64_t>(bits));
    }
  }

  Result<void> read_string_value(const std::string& key) {
    std::string* const kept = key == "general.architecture" ? &header_.architecture
                              : key == "general.name"       ? &header_.name
                              : key == "general.license"    ? &header_.license
                                                            : nullptr;
    header_.has_chat_template |= key == "tokenizer.chat_template";
    if (kept == nullptr) {
      return skip_string();
    }
    INGLE_TRY(*kept, read_string(kMaxKeptBytes, "a text is"));
    return {};
  }

  Result<void> read_array(const std::string& key) {
    std::uint32_t raw_type = 0;
    std::uint64_t count = 0;
    if (!reader_.read(raw_type) || !reader_.read(count)) {
      return read_error();
    }
    const auto type = static_cast<ValueType>(raw_type);
    if (type == ValueType::kString) {
      for (std::uint64_t i = 0; i < count; ++i) {
        INGLE_RETURN_IF_ERROR(skip_string());
      }
      return {};
    }
    const std::uint64_t size = fixed_size(type);
    if (size == 0) {
      return header_invalid("an array of type " + std::to_string(raw_type));
    }
    if (key.ends_with(".attention.head_count_kv")) {
      return sum_array(key, type, count);
    }
    const auto bytes = product(count, size);
    if (!bytes) {
      return header_invalid("an array is too long");
    }
    if (!reader_.skip(*bytes)) {
      return read_error();
    }
    return {};
  }

  /// Some models have a number of heads per layer; what counts is their sum.
  Result<void> sum_array(const std::string& key, ValueType type, std::uint64_t count) {
    std::int64_t total = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      INGLE_TRY(const std::optional<std::int64_t> number, read_number(type));
      total = std::min(total + std::clamp<std::int64_t>(number.value_or(0), 0, kMaxModelNumber),
                       kMaxModelNumber);
    }
    array_sums_[key] = total;
    return {};
  }

  Result<void> take_alignment() {
    const auto it = numbers_.find("general.alignment");
    if (it == numbers_.end()) {
      return {};
    }
    if (it->second <= 0 || it->second > (1 << 20) ||
        !std::has_single_bit(static_cast<std::uint64_t>(it->second))) {
      return header_invalid("alignment " + std::to_string(it->second));
    }
    alignment_ = static_cast<std::uint64_t>(it->second);
    return {};
  }

  /// Where the tensor's bytes end, counted from the start of the data.
  Result<std::uint64_t> read_tensor() {
    INGLE_RETURN_IF_ERROR(read_string(kMaxTensorNameBytes, "a tensor's name is"));
    std::uint32_t dimensions = 0;
    if (!reader_.read(dimensions)) {
      return read_error();
    }
    if (dimensions > kMaxDimensions) {
      return header_invalid("a tensor of " + std::to_string(dimensions) + " dimensions");
    }
    std::uint64_t values = 1;
    std::uint64_t row_values = 1;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      std::uint64_t extent = 0;
      if (!reader_.read(extent)) {
        return read_error();
      }
      const auto grown = product(values, extent);
      if (!grown || *grown > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return header_invalid("a tensor is impossibly large");
      }
      values = *grown;
      row_values = i == 0 ? extent : row_values;
    }
    std::uint32_t type_id = 0;
    std::uint64_t offset = 0;
    if (!reader_.read(type_id) || !reader_.read(offset)) {
      return read_error();
    }
    if (offset % alignment_ != 0) {
      return header_invalid("a tensor is not aligned");
    }
    const auto parameters = sum(header_.parameters, values);
    if (!parameters) {
      return header_invalid("impossibly many parameters");
    }
    header_.parameters = *parameters;
    // The size of a type that we do not know stays open; its start must be within the file at
    // least.
    std::uint64_t bytes = 0;
    if (const auto type = ggml_type(type_id)) {
      if (row_values % type->block_values != 0) {
        return header_invalid("a tensor's row is not a whole number of blocks");
      }
      const auto exact = product(values / type->block_values, type->block_bytes);
      if (!exact) {
        return header_invalid("a tensor is impossibly large");
      }
      bytes = *exact;
    }
    const auto end = sum(offset, bytes);
    if (!end) {
      return header_invalid("a tensor lies beyond any file");
    }
    return *end;
  }

  [[nodiscard]] Result<void> check_data(std::uint64_t data_bytes) const {
    if (header_.tensor_count == 0) {
      return {};
    }
    const std::uint64_t padding = (alignment_ - reader_.position() % alignment_) % alignment_;
    const auto end = sum(reader_.position() + padding, data_bytes);
    if (!end) {
      return header_invalid("a tensor lies beyond any file");
    }
    if (*end > header_.file_bytes) {
      return truncated(*end, header_.file_bytes);
    }
    return {};
  }

  /// The number `<architecture>.suffix`, clamped to what a model can have; 0 when absent.
  [[nodiscard]] std::int64_t model_number(std::string_view suffix) const {
    const auto it = numbers_.find(header_.architecture + std::string(suffix));
    return it == numbers_.end() ? 0 : std::clamp<std::int64_t>(it->second, 0, kMaxModelNumber);
  }

  void take_model_numbers() {
    header_.context_length = model_number(".context_length");
    header_.has_pooling = model_number(".pooling_type") > 0;
    const std::int64_t layers = model_number(".block_count");
    const std::int64_t heads = model_number(".attention.head_count");
    std::int64_t kv_heads = layers * model_number(".attention.head_count_kv");
    if (const auto it = array_sums_.find(header_.architecture + ".attention.head_count_kv");
        it != array_sums_.end()) {
      kv_heads = it->second;
    } else if (kv_heads == 0) {
      kv_heads = layers * heads;
    }
    const std::int64_t head_width = heads > 0 ? model_number(".embedding_length") / heads : 0;
    std::int64_t key_width = model_number(".attention.key_length");
    std::int64_t value_width = model_number(".attention.value_length");
    key_width = key_width > 0 ? key_width : head_width;
    value_width = value_width > 0 ? value_width : head_width;
    if (__builtin_mul_overflow(kv_heads, key_width + value_width, &header_.kv_values_per_token)) {
      header_.kv_values_per_token = std::numeric_limits<std::int64_t>::max();
    }
  }

  FileReader reader_;
  GgufHeader header_;
  std::uint64_t key_count_ = 0;
  std::uint64_t alignment_ = 32;
  std::set<std::string> keys_;
  std::map<std::string, std::int64_t> numbers_;     ///< Integers and booleans by key.
  std::map<std::string, std::int64_t> array_sums_;  ///< Of head counts per layer, by key.
};

}  // namespace

Result<GgufHeader> read_gguf_header(const fs::path& path) {
  std::error_code status_error;
  const fs::file_status status = fs::status(path, status_error);
  if (status.type() == fs::file_type::not_found) {
    return Error{ErrorCode::kNotFound,
                 "model_not_found",
                 "there is no model file at " + path.string() + "; check the name",
                 {}};
  }
  if (status.type() == fs::file_type::directory) {
    return invalid("model_is_folder", path.string() + " is a folder; name a .gguf file in it");
  }
  if (status_error) {
    return Error{ErrorCode::kPermissionDenied,
                 "model_unreadable",
                 "the model file cannot be reached; check the permissions of its folders",
                 {}};
  }
  if (status.type() != fs::file_type::regular) {
    return invalid("model_not_gguf", path.string() + " is not a regular file; name a .gguf file");
  }
  const std::uint64_t bytes = fs::file_size(path, status_error);
  if (status_error) {
    return Error{ErrorCode::kPermissionDenied,
                 "model_unreadable",
                 "the size of the model file cannot be read",
                 {}};
  }
  if (bytes == 0) {
    return invalid("model_empty", "the model file is empty; fetch it again");
  }
  return HeaderParser(path, bytes).parse();
}

}  // namespace ingle
