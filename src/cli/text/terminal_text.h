/// Text that is safe and readable on a terminal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ingle::cli {

/// `text` with its control characters written out (\x1b), so that nothing in it can drive a
/// terminal. Line feeds and tabs stay. `text` is whole UTF-8 characters.
[[nodiscard]] std::string escape_controls(std::string_view text);

/// The same on one line: line feeds are written out too.
[[nodiscard]] std::string one_line(std::string_view text);

/// As `one_line`, cut after at most `max_bytes` bytes.
[[nodiscard]] std::string short_line(std::string_view text, std::size_t max_bytes);

/// `word` as a POSIX shell reads it back.
[[nodiscard]] std::string shell_quoted(std::string_view word);

/// "98 MB"; powers of 1000.
[[nodiscard]] std::string size_text(std::uint64_t bytes);

}  // namespace ingle::cli
