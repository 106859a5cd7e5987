/// For tests: makes GGUF files, good ones and, with some help, bad ones.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace ingle::testing {

/// Builds the bytes of a GGUF file (version 3, little-endian). The last tensor is not padded, so a
/// file that is one byte shorter is always cut short.
class GgufWriter {
 public:
  static constexpr std::uint32_t kUint32 = 4;
  static constexpr std::uint32_t kFloat32 = 6;
  static constexpr std::uint32_t kString = 8;
  static constexpr std::uint32_t kArray = 9;
  static constexpr std::uint32_t kF32Tensor = 0;

  GgufWriter& text(std::string_view key, std::string_view value) {
    return raw_value(key, kString, string(value));
  }
  GgufWriter& number(std::string_view key, std::uint32_t value) {
    return raw_value(key, kUint32, bytes_of(value));
  }
  GgufWriter& texts(std::string_view key, const std::vector<std::string>& values) {
    std::string bytes = bytes_of(kString) + bytes_of(std::uint64_t{values.size()});
    for (const std::string& value : values) {
      bytes += string(value);
    }
    return raw_value(key, kArray, bytes);
  }
  template <class T>
  GgufWriter& numbers(std::string_view key, std::uint32_t type, const std::vector<T>& values) {
    std::string bytes = bytes_of(type) + bytes_of(std::uint64_t{values.size()});
    for (const T value : values) {
      bytes += bytes_of(value);
    }
    return raw_value(key, kArray, bytes);
  }
  /// A value of any type, already encoded.
  GgufWriter& raw_value(std::string_view key, std::uint32_t type, std::string_view bytes) {
    key_values_ += string(key) + bytes_of(type) + std::string(bytes);
    ++key_count_;
    return *this;
  }
  /// Float32 values, all 0, behind the tensors so far.
  GgufWriter& tensor(std::string_view name, const std::vector<std::uint64_t>& shape) {
    std::uint64_t values = 1;
    for (const std::uint64_t extent : shape) {
      values *= extent;
    }
    data_.resize(padded(data_.size()));
    raw_tensor(name, shape, kF32Tensor, data_.size());
    data_.resize(data_.size() + values * sizeof(float));
    return *this;
  }
  /// Any entry of the tensor table; adds no data.
  GgufWriter& raw_tensor(std::string_view name, const std::vector<std::uint64_t>& shape,
                         std::uint32_t type, std::uint64_t offset) {
    tensors_ += string(name) + bytes_of(static_cast<std::uint32_t>(shape.size()));
    for (const std::uint64_t extent : shape) {
      tensors_ += bytes_of(extent);
    }
    tensors_ += bytes_of(type) + bytes_of(offset);
    ++tensor_count_;
    return *this;
  }
  GgufWriter& version(std::uint32_t version) {
    version_ = version;
    return *this;
  }

  [[nodiscard]] std::string bytes() const {
    std::string result = "GGUF" + bytes_of(version_) + bytes_of(tensor_count_) +
                         bytes_of(key_count_) + key_values_ + tensors_;
    if (!data_.empty()) {
      result.resize(padded(result.size()));
      result += data_;
    }
    return result;
  }

  template <class T>
  static std::string bytes_of(T value) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
  }
  static std::string string(std::string_view text) {
    return bytes_of(std::uint64_t{text.size()}) + std::string(text);
  }

 private:
  static std::size_t padded(std::size_t size) { return (size + 31) / 32 * 32; }

  std::uint32_t version_ = 3;
  std::uint64_t tensor_count_ = 0;
  std::uint64_t key_count_ = 0;
  std::string key_values_;
  std::string tensors_;
  std::string data_;
};

/// A small model file that passes every check of the header, though no engine could run it.
inline GgufWriter small_gguf(std::string_view architecture = "llama") {
  const std::string prefix(architecture);
  return GgufWriter()
      .text("general.architecture", architecture)
      .text("general.name", "Tiny")
      .text("general.license", "apache-2.0")
      .number(prefix + ".context_length", 2048)
      .number(prefix + ".block_count", 2)
      .number(prefix + ".embedding_length", 64)
      .number(prefix + ".attention.head_count", 4)
      .number(prefix + ".attention.head_count_kv", 2)
      .texts("tokenizer.ggml.tokens", {"a", "b", "</s>"})
      .text("tokenizer.chat_template", "{{ messages }}")
      .tensor("token_embd.weight", {8, 3})
      .tensor("output_norm.weight", {5});
}

}  // namespace ingle::testing
