/// Text to tokens and back, for one model's vocabulary.
#pragma once

#include <llama.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingle/core/result.h"
#include "ingle/schema/constraint.h"

namespace ingle {

/// Const members are thread-safe. The vocabulary belongs to the model, which must live longer.
class Tokenizer {
 public:
  explicit Tokenizer(const llama_vocab* vocabulary);

  enum class Markup : std::uint8_t {
    kTemplate,  ///< A rendered prompt: markers of the template are tokens of their own, BOS is
                ///< added.
    kPlain,     ///< Somebody's words: nothing is a marker, nothing is added.
  };

  /// Errors: invalid_argument "prompt_invalid" (over 2 GiB of text, or llama.cpp cannot tokenize
  /// it).
  [[nodiscard]] Result<std::vector<Token>> tokenize(std::string_view text, Markup markup) const;

  /// A rendered prompt that was cut at seams (markup_guard.h): no marker is found across two
  /// pieces. Begins with BOS once, if the model wants it, and does not end with EOS. Errors: as
  /// `tokenize`.
  [[nodiscard]] Result<std::vector<Token>> tokenize_prompt(
      std::span<const std::string> pieces) const;

  /// Template text from the middle of a prompt: nothing is added. Errors: as `tokenize`.
  [[nodiscard]] Result<std::vector<Token>> tokenize_inside(std::string_view text) const;

  /// The one token that `text` is, if it is one.
  [[nodiscard]] std::optional<Token> marker(std::string_view text) const;

  /// Spellings that count as markers in a rendered prompt: control tokens, and those tokens of its
  /// own that a chat template (its source) uses.
  [[nodiscard]] std::vector<std::string> markers(std::string_view chat_template) const;

  /// What the token adds to a reply, as bytes; empty for control tokens and tokens that end it.
  [[nodiscard]] std::string bytes_of(Token token) const;

  /// The token as it stands in a template, control tokens too; empty for "none" (negative).
  [[nodiscard]] std::string markup_of(Token token) const;

  [[nodiscard]] bool ends_generation(Token token) const;
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Tokens that the model's makers want never to be generated.
  [[nodiscard]] std::vector<Token> suppressed() const;

  /// The vocabulary for constraints. Takes about 50 ms. Errors: as `TokenTable::create`.
  [[nodiscard]] Result<TokenTable> token_table() const;

 private:
  [[nodiscard]] std::string piece(Token token, bool with_special) const;
  [[nodiscard]] Result<std::vector<Token>> run(std::string_view text, bool with_ends,
                                               bool with_markers) const;

  const llama_vocab* vocabulary_;
  std::size_t size_;
};

}  // namespace ingle
