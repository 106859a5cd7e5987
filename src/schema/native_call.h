/// The Rust core's handles and errors as ours.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "ingle/core/result.h"
#include "schema/native/ingle_schema_native.h"

namespace ingle::schema {

/// A text of the native library.
class NativeText {
 public:
  NativeText() = default;
  NativeText(const NativeText&) = delete;
  NativeText& operator=(const NativeText&) = delete;
  ~NativeText() { ingle_schema_text_free(text_); }

  [[nodiscard]] ingle_schema_text* out() { return &text_; }
  [[nodiscard]] std::string_view view() const {
    return text_.size == 0 ? std::string_view() : std::string_view(text_.data, text_.size);
  }

 private:
  ingle_schema_text text_{};
};

struct NativeDeleter {
  void operator()(ingle_schema* handle) const { ingle_schema_free(handle); }
  void operator()(ingle_tokens* handle) const { ingle_tokens_free(handle); }
  void operator()(ingle_constraint* handle) const { ingle_constraint_free(handle); }
  void operator()(ingle_matcher* handle) const { ingle_matcher_free(handle); }
};

template <class T>
using NativeHandle = std::unique_ptr<T, NativeDeleter>;

/// What a native function returned, `error` being what it wrote. Details: {"path"?, "keyword"?}.
[[nodiscard]] Result<void> check_native(std::int32_t status, const NativeText& error);

/// The bounds of every schema: 1 MiB of text, nesting of 128.
/// Errors: invalid_argument "schema_too_large", "schema_too_deep".
[[nodiscard]] Result<void> check_schema_size(std::size_t bytes);
[[nodiscard]] Result<void> check_schema_depth(std::size_t depth);

inline constexpr std::size_t kMaxSchemaBytes = std::size_t{1} << 20U;
inline constexpr std::size_t kMaxSchemaDepth = 128;

}  // namespace ingle::schema
