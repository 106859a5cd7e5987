#include "engine_llama/reply_text.h"

#include <algorithm>
#include <utility>

#include "ingle/core/utf8.h"

namespace ingle {

ReplyText::ReplyText(std::vector<std::string> stops) : stops_(std::move(stops)) {}

std::string ReplyText::push(std::string_view bytes) {
  if (is_stopped_) {
    return {};
  }
  const std::size_t already_searched = pending_.size();
  pending_ += bytes;
  if (!stops_.empty()) {
    for (std::size_t end = already_searched + 1; end <= pending_.size(); ++end) {
      if (const std::size_t length = longest_stop_at(end); length != 0) {
        is_stopped_ = true;
        pending_.resize(end - length);
        // What the stop string cut off mid-character can no longer be completed: it is ill-formed.
        return take(pending_.size());
      }
    }
  }
  return take(pending_.size() - held_back());
}

std::string ReplyText::finish() {
  pending_.resize(pending_.size() - incomplete_utf8_suffix(pending_));
  return take(pending_.size());
}

std::size_t ReplyText::longest_stop_at(std::size_t end) const {
  std::size_t longest = 0;
  for (const std::string& stop : stops_) {
    if (std::string_view(pending_).substr(0, end).ends_with(stop)) {
      longest = std::max(longest, stop.size());
    }
  }
  return longest;
}

std::size_t ReplyText::held_back() const {
  std::size_t held = incomplete_utf8_suffix(pending_);
  for (const std::string& stop : stops_) {
    for (std::size_t size = std::min(stop.size() - 1, pending_.size()); size > held; --size) {
      if (pending_.ends_with(std::string_view(stop).substr(0, size))) {
        held = size;
      }
    }
  }
  return held;
}

std::string ReplyText::take(std::size_t count) {
  std::string text = sanitize_utf8(std::string_view(pending_).substr(0, count));
  pending_.erase(0, count);
  return text;
}

}  // namespace ingle
