/// Follows whether a reply is among its thoughts, and says when they have cost enough.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/model/generation.h"

namespace ingle {

/// Looks at the text alone: a tag may be one token or several. Not thread-safe.
class ThinkingTracker {
 public:
  /// Without a start or an end tag there are never thoughts. `begun` is what the template has
  /// written of the reply; `budget` counts tokens between the tags.
  ThinkingTracker(std::string start, std::vector<std::string> ends, std::string_view begun,
                  std::optional<TokenCount> budget);

  /// Takes the text of the next token.
  void push(std::string_view text);

  [[nodiscard]] bool is_thinking() const { return is_thinking_; }

  /// The budget is used up: what ends the thoughts must come next, `end_tag()`.
  [[nodiscard]] bool must_end() const;
  [[nodiscard]] const std::string& end_tag() const { return ends_.front(); }

 private:
  void take(std::string_view text);

  std::string start_;
  std::vector<std::string> ends_;
  std::optional<TokenCount> budget_;
  std::size_t longest_tag_ = 0;
  std::string tail_;  ///< The end of the text, as long as a tag may still be unfinished.
  bool is_thinking_ = false;
  TokenCount used_ = 0;
};

}  // namespace ingle
