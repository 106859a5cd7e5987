/// A value or an `Error`. What std::expected will be, once our compilers have it.
#pragma once

#include <optional>
#include <utility>
#include <variant>

#include "ingle/core/check.h"
#include "ingle/core/error.h"

namespace ingle {

/// Holds a `T` or the `Error` that kept it from being made. Reading the wrong one is a bug and
/// aborts.
template <class T>
class [[nodiscard]] Result {
 public:
  // Implicit, so that `return value;` and `return Error{...};` both read well.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  [[nodiscard]] T& value() & {
    INGLE_CHECK(ok(), "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] const T& value() const& {
    INGLE_CHECK(ok(), "value() of a failed Result");
    return *std::get_if<0>(&state_);
  }
  [[nodiscard]] T&& value() && {
    INGLE_CHECK(ok(), "value() of a failed Result");
    return std::move(*std::get_if<0>(&state_));
  }
  [[nodiscard]] T value_or(T fallback) && {
    return ok() ? std::move(*std::get_if<0>(&state_)) : std::move(fallback);
  }
  [[nodiscard]] const Error& error() const {
    INGLE_CHECK(!ok(), "error() of a successful Result");
    return *std::get_if<1>(&state_);
  }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  [[nodiscard]] bool ok() const { return !error_.has_value(); }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] const Error& error() const {
    INGLE_CHECK(!ok(), "error() of a successful Result");
    return *error_;
  }

 private:
  std::optional<Error> error_;
};

}  // namespace ingle

#define INGLE_CONCAT_INNER_(a, b) a##b
#define INGLE_CONCAT_(a, b) INGLE_CONCAT_INNER_(a, b)

/// Evaluates a `Result<void>` expression; returns its error from the enclosing function.
#define INGLE_RETURN_IF_ERROR(expression)                    \
  do {                                                       \
    if (auto ingle_result_ = (expression); !ingle_result_) { \
      return ingle_result_.error();                          \
    }                                                        \
  } while (false)

/// `INGLE_TRY(auto x, f());` declares `x` from a `Result`, or returns its error.
#define INGLE_TRY(declaration, expression) \
  INGLE_TRY_INNER_(INGLE_CONCAT_(ingle_result_, __LINE__), declaration, expression)
#define INGLE_TRY_INNER_(result, declaration, expression) \
  auto result = (expression);                             \
  if (!result) {                                          \
    return result.error();                                \
  }                                                       \
  declaration = std::move(result).value()
