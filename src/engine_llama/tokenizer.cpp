#include "engine_llama/tokenizer.h"

#include <exception>
#include <limits>

namespace ingle {
namespace {

Error untokenizable(const std::string& why) {
  return {
      ErrorCode::kInvalidArgument, "prompt_invalid", "the text cannot be tokenized: " + why, {}};
}

}  // namespace

Tokenizer::Tokenizer(const llama_vocab* vocabulary)
    : vocabulary_(vocabulary), size_(static_cast<std::size_t>(llama_vocab_n_tokens(vocabulary))) {}

Result<std::vector<Token>> Tokenizer::tokenize(std::string_view text, Markup markup) const {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return untokenizable("it is longer than 2 GiB");
  }
  const bool is_template = markup == Markup::kTemplate;
  const auto length = static_cast<std::int32_t>(text.size());
  std::vector<Token> tokens(text.size() / 3 + 16);
  try {
    for (;;) {
      const std::int32_t count =
          llama_tokenize(vocabulary_, text.data(), length, tokens.data(),
                         static_cast<std::int32_t>(tokens.size()), is_template, is_template);
      if (count == std::numeric_limits<std::int32_t>::min()) {
        return untokenizable("it has too many tokens");
      }
      tokens.resize(static_cast<std::size_t>(count < 0 ? -count : count));
      if (count >= 0) {
        return tokens;
      }
    }
  } catch (const std::exception& exception) {
    return untokenizable(exception.what());
  }
}

std::string Tokenizer::bytes_of(Token token) const {
  const auto attributes = static_cast<unsigned>(llama_vocab_get_attr(vocabulary_, token));
  constexpr unsigned kWithoutText =
      LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN | LLAMA_TOKEN_ATTR_UNUSED;
  if ((attributes & kWithoutText) != 0 || ends_generation(token)) {
    return {};
  }
  return piece(token, false);
}

std::string Tokenizer::markup_of(Token token) const {
  return token < 0 ? std::string() : piece(token, true);
}

bool Tokenizer::ends_generation(Token token) const {
  return llama_vocab_is_eog(vocabulary_, token);
}

std::vector<Token> Tokenizer::suppressed() const {
  std::int32_t count = 0;
  const llama_token* const tokens = llama_vocab_get_suppress_tokens(vocabulary_, &count);
  return tokens == nullptr ? std::vector<Token>() : std::vector<Token>(tokens, tokens + count);
}

Result<TokenTable> Tokenizer::token_table() const {
  std::vector<std::string> bytes(size_);
  std::vector<Token> ends;
  for (std::size_t i = 0; i < size_; ++i) {
    const auto token = static_cast<Token>(i);
    bytes[i] = bytes_of(token);
    if (ends_generation(token)) {
      ends.push_back(token);
    }
  }
  return TokenTable::create(bytes, ends);
}

std::string Tokenizer::piece(Token token, bool with_special) const {
  std::string text(64, '\0');
  for (;;) {
    const std::int32_t count = llama_token_to_piece(
        vocabulary_, token, text.data(), static_cast<std::int32_t>(text.size()), 0, with_special);
    text.resize(static_cast<std::size_t>(count < 0 ? -count : count));
    if (count >= 0) {
      return text;
    }
  }
}

}  // namespace ingle
