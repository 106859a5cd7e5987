/// What went wrong, said once, for a program and for a person.
///
/// Start with `Error`; every fallible function of Ingle returns it inside a `Result`
/// (core/result.h). Values; safe to copy between threads.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "ingle/core/json.h"

namespace ingle {

/// A code exists only where it tells the caller to act differently.
enum class ErrorCode : std::uint8_t {
  kCancelled,           ///< Someone asked to stop: report it, do not retry.
  kDeadlineExceeded,    ///< Time ran out: retry with more time, or give up.
  kInvalidArgument,     ///< The input is wrong whatever the state: correct it.
  kNotFound,            ///< The named thing is not there: check the name.
  kAlreadyExists,       ///< The named thing is there already: choose another name or open it.
  kPermissionDenied,    ///< Not allowed: a person or a policy has to allow it.
  kFailedPrecondition,  ///< Right input, wrong state: change the state first.
  kConflict,            ///< Another writer was faster: read again, then retry.
  kResourceExhausted,   ///< A limit (context window, memory, disk): use less or raise it.
  kUnavailable,         ///< Not reachable now: retry later.
  kDataLoss,            ///< Stored data is damaged: recover or restore it.
  kUnsupported,         ///< This build, model or version cannot do it: use another.
  kInternal,            ///< A bug of ours or of a dependency: report it.
};

/// Stable lower-case name, for example "invalid_argument".
[[nodiscard]] std::string_view to_string(ErrorCode code);

/// Inverse of `to_string`; unknown names become `kInternal`.
[[nodiscard]] ErrorCode error_code_from(std::string_view name);

struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string reason = {};   ///< Stable machine name, lower snake case: "context_length_exceeded".
  std::string message = {};  ///< For people: what happened and what to do.
  Json details = {};         ///< Numbers and names that a program needs; null when there are none.

  /// What led to it, where that is an error of its own; null when there is none.
  std::shared_ptr<const Error> cause = {};

  bool operator==(const Error& other) const;  ///< Causes by value.

  /// The same error, led to by `error`.
  [[nodiscard]] Error because(Error error) const;

  /// The same error with `frame` in front of the message: "loading model x: <message>".
  [[nodiscard]] Error context(std::string_view frame) const;

  /// {"code", "reason", "message", "details"?, "cause"?}.
  [[nodiscard]] Json to_json() const;

  /// Inverse of `to_json`; missing members become empty.
  static Error from_json(const Json& value);
};

}  // namespace ingle
