/// The words of a question, as far as they can be compared.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace ingle {

/// Stems of the words that say something, in lower case. "camelCase" and "snake_case" are several
/// words. ASCII letters only.
[[nodiscard]] std::set<std::string> words_of(std::string_view text);

/// The part of `words` that `others` have too, 0 to 1; 0 where there are none.
[[nodiscard]] double share_of(const std::set<std::string>& words,
                              const std::set<std::string>& others);

/// Does `part` stand in `text` as whole words? Case (ASCII) does not count, and '-' and '_'
/// are spaces.
[[nodiscard]] bool says(std::string_view text, std::string_view part);

}  // namespace ingle
