/// Reads the members of a JSON object; the first one that is wrong is remembered.
///
/// After it everything reads as empty, so a decoder is a list of members and one check at its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ingle/core/clock.h"
#include "ingle/core/json.h"
#include "ingle/core/result.h"
#include "ingle/model/generation.h"

namespace ingle::session_internal {

/// data_loss "event_invalid".
[[nodiscard]] Error invalid_event(std::string message);

class MemberReader {
 public:
  /// Borrows `object`. An error unless it is an object.
  explicit MemberReader(const json& object);

  // Required members.
  std::string string(const char* name);
  bool boolean(const char* name);
  std::int64_t integer(const char* name);
  Timestamp time(const char* name);
  /// An array of strings.
  std::vector<std::string> strings(const char* name);
  /// An object of strings.
  std::map<std::string, std::string> string_map(const char* name);
  FinishReason finish_reason(const char* name);
  Usage usage(const char* name);
  /// An object, or null with an error.
  const json* object(const char* name);

  /// Any value; null when absent.
  Json any(const char* name);
  /// Empty when absent or null. Not negative.
  std::optional<std::int64_t> optional_count(const char* name);

  template <class IdType>
  IdType id(const char* name) {
    return IdType(string(name));
  }
  template <class IdType>
  std::vector<IdType> ids(const char* name) {
    std::vector<IdType> out;
    for (std::string& text : strings(name)) {
      out.emplace_back(std::move(text));
    }
    return out;
  }
  /// One of `values`, by the name that `to_string` gives it.
  template <class Enum, std::size_t kSize>
  Enum one_of(const char* name, const Enum (&values)[kSize]) {
    const std::string text = string(name);
    for (const Enum value : values) {
      if (to_string(value) == text) {
        return value;
      }
    }
    fail(name, "has an unknown value");
    return values[0];
  }

  /// Records that the member is wrong, unless another was before.
  void fail(std::string_view name, std::string_view what);
  /// Takes over the error of a part that was read elsewhere.
  template <class T>
  T take(const char* name, Result<T> result) {
    if (result) {
      return std::move(result).value();
    }
    fail(name, "is invalid: " + result.error().message);
    return T{};
  }

  /// The first error, if there was one.
  [[nodiscard]] Result<void> check() const;

 private:
  /// The member, or null with an error.
  const json* find(const char* name);

  const json& object_;
  std::optional<Error> error_;
};

}  // namespace ingle::session_internal
