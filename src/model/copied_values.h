/// Small models copy better than they invent: arguments limited to what was said.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/json.h"
#include "model/said_numbers.h"

namespace ingle {

/// What a question offers to be copied.
struct SaidValues {
  std::vector<std::string> texts = {};               ///< `word_spans`; empty: any text.
  std::vector<std::vector<std::string>> lists = {};  ///< `said_lists`.
  SaidNumbers numbers = {};
  /// Numbers that are wanted one by one. If fewer were said, a number may be one that nobody said;
  /// if enough were said outside of lists, those of lists do not count.
  std::size_t numbers_wanted = 0;
};

/// Those of `spans` that stand in `text` as whole words.
[[nodiscard]] std::vector<std::string> spans_within(const std::vector<std::string>& spans,
                                                    std::string_view text);

/// `schema` with every string and number that is free - without enum, pattern, bound and the like -
/// limited to `values`, and every list of such to a list that was said, if there is one. What
/// nothing was said for stays as it is.
[[nodiscard]] Json limited_to(const Json& schema, const SaidValues& values);

}  // namespace ingle
