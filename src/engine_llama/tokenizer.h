/// Text to tokens and back, for one model's vocabulary.
#pragma once

#include <llama.h>

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

  const llama_vocab* vocabulary_;
  std::size_t size_;
};

}  // namespace ingle
