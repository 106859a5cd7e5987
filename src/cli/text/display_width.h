/// How much room text takes on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ingle::cli {

/// Columns of `text`, which is UTF-8 without control characters: East Asian wide characters and
/// emoji take two, combining marks none.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// Bytes of the longest beginning of `text` that fits into `columns`; at least one character.
[[nodiscard]] std::size_t prefix_of_width(std::string_view text, std::size_t columns);

/// `text`, or as much of it as fits into `columns` with "..." behind it. At least one column.
[[nodiscard]] std::string fit_to_width(std::string_view text, std::size_t columns);

}  // namespace ingle::cli
