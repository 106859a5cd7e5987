/// Small models copy better than they invent: text arguments limited to what was said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/json.h"

namespace ingle {

/// Runs of one to six words of `text`, without the punctuation around them, each once, in order.
/// Text of more than a few hundred words gives its first ones.
[[nodiscard]] std::vector<std::string> word_spans(std::string_view text);

/// Those of `spans` that stand in `text` as whole words.
[[nodiscard]] std::vector<std::string> spans_within(const std::vector<std::string>& spans,
                                                    std::string_view text);

/// `schema` with every string that is free - no enum, const, pattern, format or length - limited to
/// `values`. Unchanged where `values` is empty.
[[nodiscard]] Json limited_to(const Json& schema, const std::vector<std::string>& values);

}  // namespace ingle
