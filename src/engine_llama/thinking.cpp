#include "engine_llama/thinking.h"

#include <algorithm>
#include <utility>

namespace ingle {

ThinkingTracker::ThinkingTracker(std::string start, std::vector<std::string> ends,
                                 std::string_view begun, std::optional<TokenCount> budget)
    : start_(std::move(start)), ends_(std::move(ends)), budget_(budget) {
  if (start_.empty() || ends_.empty()) {
    start_.clear();
    ends_.clear();
    return;
  }
  longest_tag_ = start_.size();
  for (const std::string& end : ends_) {
    longest_tag_ = std::max(longest_tag_, end.size());
  }
  take(begun);
}

void ThinkingTracker::push(std::string_view text) {
  if (start_.empty()) {
    return;
  }
  if (is_thinking_) {
    ++used_;
  }
  take(text);
}

void ThinkingTracker::take(std::string_view text) {
  tail_ += text;
  for (;;) {
    // The earliest tag that changes something; what is before it can be forgotten.
    std::size_t at = std::string::npos;
    std::size_t size = 0;
    const auto look_for = [&](const std::string& tag) {
      const std::size_t found = tail_.find(tag);
      if (found < at) {
        at = found;
        size = tag.size();
      }
    };
    if (is_thinking_) {
      std::ranges::for_each(ends_, look_for);
    } else {
      look_for(start_);
    }
    if (at == std::string::npos) {
      break;
    }
    is_thinking_ = !is_thinking_;
    used_ = 0;
    tail_.erase(0, at + size);
  }
  if (tail_.size() >= longest_tag_) {
    tail_.erase(0, tail_.size() - longest_tag_ + 1);
  }
}

bool ThinkingTracker::must_end() const { return is_thinking_ && budget_ && used_ >= *budget_; }

}  // namespace ingle
