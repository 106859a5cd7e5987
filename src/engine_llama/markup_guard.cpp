#include "engine_llama/markup_guard.h"

#include <algorithm>
#include <utility>

namespace ingle {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& byte : lower) {
    byte = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
  }
  return lower;
}

/// Letters and digits alone: templates escape, quote and trim, but keep those. Not in any text, in
/// whatever case, so that what is left of a broken seam shows.
std::string unused_word(const std::vector<std::string_view>& texts) {
  for (unsigned number = 0;; ++number) {
    std::string word = "ingleseam" + std::to_string(number) + "x";
    if (std::ranges::none_of(texts, [&word](std::string_view text) {
          return lower_case(text).find(word) != std::string::npos;
        })) {
      return word;
    }
  }
}

}  // namespace

MarkerSet::MarkerSet(std::vector<std::string> markers) {
  for (std::string& marker : markers) {
    if (marker.size() < 2) {
      continue;
    }
    if (first_bytes_.find(marker.front()) == std::string::npos) {
      first_bytes_ += marker.front();
    }
    if (std::ranges::find(lengths_, marker.size()) == lengths_.end()) {
      lengths_.push_back(marker.size());
    }
    markers_.insert(std::move(marker));
  }
  std::ranges::sort(lengths_);
}

std::vector<std::size_t> MarkerSet::find_in(std::string_view text) const {
  std::vector<std::size_t> places;
  if (markers_.empty()) {
    return places;
  }
  for (std::size_t at = text.find_first_of(first_bytes_); at != std::string_view::npos;
       at = text.find_first_of(first_bytes_, at + 1)) {
    for (const std::size_t length : lengths_) {
      if (length > text.size() - at) {
        break;
      }
      if (markers_.contains(text.substr(at, length))) {
        places.push_back(at);
        break;
      }
    }
  }
  return places;
}

MarkupGuard::MarkupGuard(const MarkerSet& markers, const std::vector<std::string_view>& texts)
    : markers_(&markers), word_(unused_word(texts)), seam_(word_ + "end") {}

std::string MarkupGuard::guard(std::string_view text) {
  std::string guarded;
  std::size_t done = 0;
  for (const std::size_t place : markers_->find_in(text)) {
    guarded += text.substr(done, place + 1 - done);
    guarded += seam_;
    done = place + 1;
    has_cuts_ = true;
  }
  return guarded += text.substr(done);
}

Result<std::vector<std::string>> MarkupGuard::cut(std::string_view rendered) const {
  std::vector<std::string> pieces;
  if (!has_cuts_) {
    pieces.emplace_back(rendered);
    return pieces;
  }
  std::string_view rest = rendered;
  for (;;) {
    const std::size_t at = rest.find(seam_);
    const std::string_view piece = rest.substr(0, at);
    if (lower_case(piece).find(word_) != std::string::npos) {
      break;
    }
    pieces.emplace_back(piece);
    if (at == std::string_view::npos) {
      return pieces;
    }
    rest.remove_prefix(at + seam_.size());
  }
  return Error{
      ErrorCode::kInvalidArgument,
      "prompt_invalid",
      "a message holds a marker of the model's template, and the template changes its text "
      "in a way that would let it count as one; leave the marker out",
      {}};
}

}  // namespace ingle
