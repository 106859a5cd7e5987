/// Keeps a reply to a grammar in llama.cpp's notation, from the start or from where it is
/// triggered.
#pragma once

#include <llama.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine_llama/reply_syntax.h"
#include "engine_llama/tokenizer.h"
#include "ingle/core/result.h"

namespace ingle {

/// Not thread-safe. The vocabulary must live longer.
class GrammarFilter {
 public:
  /// `begun` is what the template has written of the reply already: a grammar that holds from the
  /// start is moved behind it.
  /// Errors: invalid_argument "tool_schema_unsupported" (llama.cpp cannot read the grammar).
  static Result<GrammarFilter> create(const llama_vocab* vocabulary, const Tokenizer& tokenizer,
                                      const ReplyGrammar& grammar, std::string_view begun);

  /// Whether the token may come next.
  [[nodiscard]] bool allows(Token token) const;

  /// Clears the bits of tokens that may not come next; `mask` has a bit for each token.
  void narrow(std::span<std::uint32_t> mask) const;

  /// Goes on by a token. Errors: internal "decode_failed" (the token is not allowed).
  Result<void> accept(Token token);

 private:
  struct SamplerDeleter {
    void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
  };

  explicit GrammarFilter(llama_sampler* sampler) : sampler_(sampler) {}

  std::unique_ptr<llama_sampler, SamplerDeleter> sampler_;
};

}  // namespace ingle
