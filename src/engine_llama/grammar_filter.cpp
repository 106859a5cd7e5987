#include "engine_llama/grammar_filter.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>
#include <utility>

#include "engine_llama/llama_log.h"

namespace ingle {
namespace {

Error unreadable(const std::string& why) {
  return {ErrorCode::kInvalidArgument,
          "tool_schema_unsupported",
          "llama.cpp cannot use the grammar that it made of the tools' schemas" + why,
          {}};
}

llama_sampler* make_sampler(const llama_vocab* vocabulary, const ReplyGrammar& grammar,
                            const std::vector<llama_token>& trigger_tokens) {
  if (!grammar.is_lazy) {
    return llama_sampler_init_grammar(vocabulary, grammar.text.c_str(), "root");
  }
  std::vector<const char*> patterns;
  for (const std::string& trigger : grammar.triggers) {
    patterns.push_back(trigger.c_str());
  }
  return llama_sampler_init_grammar_lazy_patterns(vocabulary, grammar.text.c_str(), "root",
                                                  patterns.data(), patterns.size(),
                                                  trigger_tokens.data(), trigger_tokens.size());
}

/// llama.cpp refuses larger repetitions, and prints the whole grammar when it does.
bool has_large_repetition(std::string_view grammar) {
  constexpr int kMaxRepetitions = 2000;
  for (std::size_t at = grammar.find('{'); at != std::string_view::npos;
       at = grammar.find('{', at + 1)) {
    int number = 0;
    for (std::size_t i = at + 1; i < grammar.size(); ++i) {
      const char byte = grammar[i];
      if (byte >= '0' && byte <= '9') {
        number = std::min(number * 10 + (byte - '0'), kMaxRepetitions + 1);
      } else if (byte == ',' || byte == '}') {
        if (number > kMaxRepetitions) {
          return true;
        }
        number = 0;
        if (byte == '}') {
          break;
        }
      } else {
        break;
      }
    }
  }
  return false;
}

}  // namespace

Result<GrammarFilter> GrammarFilter::create(const llama_vocab* vocabulary,
                                            const Tokenizer& tokenizer, const ReplyGrammar& grammar,
                                            std::string_view begun) {
  if (has_large_repetition(grammar.text)) {
    return unreadable(": it repeats something more than 2000 times");
  }
  const LlamaErrorLines lines;
  try {
    std::vector<llama_token> trigger_tokens;
    for (const std::string& marker : grammar.trigger_markers) {
      if (const auto token = tokenizer.marker(marker)) {
        trigger_tokens.push_back(*token);
      }
    }
    GrammarFilter filter(make_sampler(vocabulary, grammar, trigger_tokens));
    if (!filter.sampler_) {
      return unreadable(lines.quoted());
    }
    if (!grammar.is_lazy && !begun.empty()) {
      INGLE_TRY(const std::vector<Token> tokens, tokenizer.tokenize_inside(begun));
      for (const Token token : tokens) {
        llama_sampler_accept(filter.sampler_.get(), token);
      }
    }
    return filter;
  } catch (const std::exception& exception) {
    return unreadable(std::string(": ") + exception.what());
  }
}

bool GrammarFilter::allows(Token token) const {
  llama_token_data candidate{.id = token, .logit = 1.0F, .p = 0.0F};
  llama_token_data_array one{.data = &candidate, .size = 1, .selected = -1, .sorted = false};
  llama_sampler_apply(sampler_.get(), &one);
  return std::isfinite(candidate.logit);
}

void GrammarFilter::narrow(std::span<std::uint32_t> mask) const {
  std::vector<llama_token_data> candidates;
  for (std::size_t token = 0; token < mask.size() * 32; ++token) {
    if (((mask[token / 32] >> (token % 32)) & 1U) != 0) {
      candidates.push_back({.id = static_cast<llama_token>(token), .logit = 1.0F, .p = 0.0F});
    }
  }
  llama_token_data_array all{
      .data = candidates.data(), .size = candidates.size(), .selected = -1, .sorted = false};
  llama_sampler_apply(sampler_.get(), &all);
  for (const llama_token_data& candidate : candidates) {
    if (!std::isfinite(candidate.logit)) {
      const auto token = static_cast<std::size_t>(candidate.id);
      mask[token / 32] &= ~(1U << (token % 32));
    }
  }
}

Result<void> GrammarFilter::accept(Token token) {
  try {
    llama_sampler_accept(sampler_.get(), token);
    return {};
  } catch (const std::exception& exception) {
    return Error{ErrorCode::kInternal,
                 "decode_failed",
                 std::string("the reply left the grammar of the tools: ") + exception.what(),
                 {}};
  }
}

}  // namespace ingle
