#include "engine_llama/tokenizer.h"

#include <exception>
#include <limits>
#include <utility>

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
  const bool is_template = markup == Markup::kTemplate;
  return run(text, is_template, is_template);
}

Result<std::vector<Token>> Tokenizer::run(std::string_view text, bool with_ends,
                                          bool with_markers) const {
  if (text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return untokenizable("it is longer than 2 GiB");
  }
  const auto length = static_cast<std::int32_t>(text.size());
  std::vector<Token> tokens(text.size() / 3 + 16);
  try {
    for (;;) {
      const std::int32_t count =
          llama_tokenize(vocabulary_, text.data(), length, tokens.data(),
                         static_cast<std::int32_t>(tokens.size()), with_ends, with_markers);
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

Result<std::vector<Token>> Tokenizer::tokenize_prompt(std::span<const std::string> pieces) const {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    INGLE_TRY(const std::vector<Token> part,
              i == 0 ? run(pieces[i], true, true) : tokenize_inside(pieces[i]));
    tokens.insert(tokens.end(), part.begin(), part.end());
    // A tokenizer that adds EOS adds it behind the first piece.
    if (i == 0 && llama_vocab_get_add_eos(vocabulary_) && !tokens.empty() &&
        tokens.back() == llama_vocab_eos(vocabulary_) &&
        !pieces[i].ends_with(markup_of(tokens.back()))) {
      tokens.pop_back();
    }
  }
  const Token bos = llama_vocab_bos(vocabulary_);
  while (tokens.size() > 1 && bos >= 0 && tokens[0] == bos && tokens[1] == bos) {
    tokens.erase(tokens.begin());
  }
  return tokens;
}

Result<std::vector<Token>> Tokenizer::tokenize_inside(std::string_view text) const {
  INGLE_TRY(std::vector<Token> tokens, run(text, false, true));
  const bool has_added_space = !tokens.empty() && !text.empty() && !text.starts_with(' ') &&
                               markup_of(tokens.front()).starts_with(' ');
  if (!has_added_space) {
    return tokens;
  }
  // SentencePiece begins every text with a space. Behind a line break, which never joins what
  // follows, it does not; so take the tokens behind one.
  INGLE_TRY(std::vector<Token> behind, run("\n" + std::string(text), false, true));
  std::string skipped;
  for (auto token = behind.begin(); token != behind.end() && skipped.size() < 3; ++token) {
    skipped += markup_of(*token);
    if (skipped == " \n" || skipped == "\n") {
      behind.erase(behind.begin(), token + 1);
      return behind;
    }
  }
  return tokens;
}

std::optional<Token> Tokenizer::marker(std::string_view text) const {
  const auto tokens = run(text, false, true);
  if (!tokens || tokens->size() != 1) {
    return std::nullopt;
  }
  return tokens->front();
}

std::vector<std::string> Tokenizer::markers(std::string_view chat_template) const {
  std::vector<std::string> markers;
  for (std::size_t i = 0; i < size_; ++i) {
    const auto token = static_cast<Token>(i);
    const auto attributes = static_cast<unsigned>(llama_vocab_get_attr(vocabulary_, token));
    const bool is_control =
        (attributes & (LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN)) != 0;
    // Some models keep line breaks and tags of HTML as tokens of their own: those are words.
    const bool is_own = (attributes & LLAMA_TOKEN_ATTR_USER_DEFINED) != 0;
    if (!is_control && !is_own) {
      continue;
    }
    std::string text = markup_of(token);
    const bool is_blank = text.find_first_not_of(" \t\r\n") == std::string::npos;
    if (!is_blank && (is_control || chat_template.find(text) != std::string_view::npos)) {
      markers.push_back(std::move(text));
    }
  }
  return markers;
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
