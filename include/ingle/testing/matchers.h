/// GoogleMock matchers for `Result`. The only header of Ingle that needs gmock.
///
///     EXPECT_THAT(store.create(id), IsOk());
///     EXPECT_THAT(parse_session_id("a"), IsOkAndHolds(SessionId("a")));
///     EXPECT_THAT(parse_session_id(""), HasErrorCode(ErrorCode::kInvalidArgument));
///     EXPECT_THAT(parse_session_id(""), HasReason("session_id_invalid"));
#pragma once

#include <gmock/gmock.h>

#include <ostream>
#include <string>
#include <type_traits>

#include "ingle/core/result.h"

namespace ingle {

/// Lets GoogleTest print what went wrong instead of bytes. Found by argument-dependent lookup.
template <class T>
void PrintTo(const Result<T>& result, std::ostream* out) {
  if (!result.ok()) {
    *out << "the error " << result.error().to_json().dump();
  } else if constexpr (std::is_void_v<T>) {
    *out << "ok";
  } else {
    *out << "the value " << ::testing::PrintToString(*result);
  }
}

inline void PrintTo(ErrorCode code, std::ostream* out) { *out << to_string(code); }

}  // namespace ingle

namespace ingle::testing {

MATCHER(IsOk, negation ? "is an error" : "is not an error") { return arg.ok(); }

MATCHER_P(IsOkAndHolds, inner,
          negation ? "is an error, or holds a value that does not match"
                   : "holds a value that matches") {
  return arg.ok() && ::testing::ExplainMatchResult(inner, arg.value(), result_listener);
}

MATCHER_P(HasErrorCode, code,
          std::string(negation ? "is not" : "is") + " an error with the code " +
              std::string(to_string(code))) {
  return !arg.ok() && arg.error().code == code;
}

MATCHER_P(HasReason, reason,
          std::string(negation ? "is not" : "is") + " an error with the reason " +
              ::testing::PrintToString(reason)) {
  return !arg.ok() && arg.error().reason == reason;
}

}  // namespace ingle::testing
