/// Keeps the markers of a template out of other people's words.
///
/// A chat template makes one text of markers and words, and the tokenizer then cannot tell a marker
/// from words that are spelled like one. So a word of our own, the seam, is put into each such
/// spelling before the template is rendered; the rendered text is cut at the seams and the pieces
/// are tokenized apart. A spelling that is cut in two is no marker. Markers that are plain text to
/// the tokenizer ("[INST]" of some models) cannot be told from words by anyone; they stay.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "ingle/core/result.h"

namespace ingle {

/// The spellings of a model's markers. Thread-safe when built.
class MarkerSet {
 public:
  MarkerSet() = default;
  /// Empty markers and single characters are left out: they cannot be cut.
  explicit MarkerSet(std::vector<std::string> markers);

  [[nodiscard]] bool empty() const { return markers_.empty(); }

  /// Where markers begin in `text`, in order; they may overlap.
  [[nodiscard]] std::vector<std::size_t> find_in(std::string_view text) const;

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's name.
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> markers_;
  std::vector<std::size_t> lengths_;  ///< That occur, the shortest first.
  std::string first_bytes_;
};

/// Cuts for one prompt. Not thread-safe.
class MarkupGuard {
 public:
  /// `texts` are all texts that will be guarded: the seam is a word that none of them has. Both
  /// must live as long as the guard.
  MarkupGuard(const MarkerSet& markers, const std::vector<std::string_view>& texts);

  /// `text` with a seam behind the first byte of each marker in it.
  [[nodiscard]] std::string guard(std::string_view text);

  /// Whether a marker is spelled in `text`.
  [[nodiscard]] bool has_marker(std::string_view text) const {
    return !markers_->find_in(text).empty();
  }

  /// The rendered prompt between the seams. A template may leave guarded words out or show them
  /// twice, but not take them apart.
  /// Errors: invalid_argument "prompt_invalid" (the template changed a seam).
  [[nodiscard]] Result<std::vector<std::string>> cut(std::string_view rendered) const;

  [[nodiscard]] bool has_cuts() const { return has_cuts_; }

 private:
  const MarkerSet* markers_;
  std::string word_;  ///< What of a seam that a template took apart is still there.
  std::string seam_;
  bool has_cuts_ = false;
};

}  // namespace ingle
