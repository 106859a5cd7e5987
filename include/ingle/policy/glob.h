/// Patterns for names.
#pragma once

#include <string_view>

namespace ingle {

/// Does the whole of `text` match? In `pattern`, '*' stands for any characters, none included, and
/// '?' for any one UTF-8 character; all else stands for itself. Needs O(|pattern| * |text|) steps
/// and no stack.
[[nodiscard]] bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace ingle
