/// "Did you mean ...?": the name that someone probably wanted to write.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ingle {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`, no
/// character being changed twice (optimal string alignment). Bytes are compared. O(|a| * |b|).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `name`, the first of several; none when even that is too different to
/// be meant. Case (ASCII), '-', '_' and ' ' do not count. Names over 256 bytes are close to
/// nothing.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      std::span<const std::string> candidates);

}  // namespace ingle
