/// JSON as a value that costs a header nothing.
///
/// `Json` holds a `nlohmann::json` behind a pointer, so that public headers need only its forward
/// declaration. Code that looks inside includes <nlohmann/json.hpp> and uses `*value`.
/// Values; a const `Json` may be read from many threads.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace ingle {

using json = nlohmann::json;

template <class T>
class Result;

class Json {
 public:
  Json() noexcept;  ///< JSON null.
  // Implicit: `Json` is a `json` in a box, and reads as one.
  Json(const json& value);
  Json(json&& value);
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  [[nodiscard]] const json& operator*() const;
  [[nodiscard]] json& operator*();
  [[nodiscard]] const json* operator->() const;
  [[nodiscard]] json* operator->();

  [[nodiscard]] bool is_null() const;
  bool operator==(const Json& other) const;
  bool operator==(const json& other) const;  ///< Without it, a mixed comparison is ambiguous.

  /// Compact text; keys in byte order; invalid UTF-8 is replaced by U+FFFD. Never fails, at any
  /// nesting. (Copying and comparing recurse: see `json_depth` before either, for what came from
  /// elsewhere.)
  [[nodiscard]] std::string dump() const;

 private:
  std::unique_ptr<json> value_;  ///< Empty stands for JSON null.
};

/// Lets a `Json` be used inside a `json` initializer list.
void to_json(json& out, const Json& value);

struct JsonLimits {
  std::size_t max_bytes = std::size_t{64} << 20U;  ///< Longer text is refused.
  std::size_t max_depth = 128;                     ///< Deeper nesting is refused.
};

/// Parses one JSON text (RFC 8259, UTF-8). Size and nesting are checked before the parser runs.
///
/// Errors: invalid_argument "json_too_large", "json_too_deep", "json_invalid" (with the byte offset
/// in the message and as details.offset); internal "json_parser_failed".
Result<Json> parse_json(std::string_view text, const JsonLimits& limits = {});

/// Nesting of arrays and objects in `value` (a scalar has depth 0).
[[nodiscard]] std::size_t json_depth(const Json& value);

}  // namespace ingle
