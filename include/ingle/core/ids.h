/// Strong identifiers: two ids of different kinds cannot be mixed up.
#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <utility>

#include "ingle/core/result.h"

namespace ingle {

/// A string that names one kind of thing. `Tag` is never defined.
template <class Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string text) : text_(std::move(text)) {}

  [[nodiscard]] const std::string& str() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  auto operator<=>(const Id&) const = default;

 private:
  std::string text_;
};

using SessionId = Id<struct SessionTag>;      ///< A conversation and its log.
using RunId = Id<struct RunTag>;              ///< One advance of a session; unique within it.
using CallId = Id<struct CallTag>;            ///< One tool call; unique within a session.
using InterruptId = Id<struct InterruptTag>;  ///< One question to a person; unique in a session.

/// A new random session id: 26 lower-case base-32 characters, sortable by time of creation.
[[nodiscard]] SessionId new_session_id();

/// Checks text from outside: 1-128 characters of [A-Za-z0-9._-], not starting with '.' or '-'.
/// Errors: invalid_argument "session_id_invalid".
Result<SessionId> parse_session_id(std::string_view text);

}  // namespace ingle
