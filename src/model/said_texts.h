/// The parts of a question that may be an argument.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ingle {

/// Runs of one to six words of `text`, without the punctuation around them, each once, in order;
/// quoted texts and runs of capitalised words may have up to twelve. Left out is what no value
/// looks like: runs that begin or end with "the", "for" and the like, that cross a quotation mark,
/// or have a preposition between words in small letters; and the verb that a request begins with.
/// Text of more than a few hundred words gives its first ones.
[[nodiscard]] std::vector<std::string> word_spans(std::string_view text);

/// Lists in `text`, three elements or more: "red, green and blue", "['I', 'V']" (two are enough in
/// brackets). Where a list begins and ends is not always clear: all readings are given, at most 24.
[[nodiscard]] std::vector<std::vector<std::string>> said_lists(std::string_view text);

}  // namespace ingle
