/// UTF-8 as bytes: whole characters only, nothing invalid let through. Unicode 15, section 3.9.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingle {

/// True when all of `text` is well-formed UTF-8 (no overlong forms, surrogates or values above
/// U+10FFFF).
[[nodiscard]] bool is_valid_utf8(std::string_view text);

/// `text` with each maximal ill-formed part replaced by U+FFFD.
[[nodiscard]] std::string sanitize_utf8(std::string_view text);

/// The longest prefix of at most `max_bytes` bytes that does not cut a character.
[[nodiscard]] std::string_view truncate_utf8(std::string_view text, std::size_t max_bytes);

/// How many bytes at the end of `text` may be the beginning of a character that is not complete yet
/// (0-3). A streamer keeps them back until more arrives.
[[nodiscard]] std::size_t incomplete_utf8_suffix(std::string_view text);

}  // namespace ingle
