/// Chooses the next token from the model's logits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <unordered_map>
#include <vector>

#include "ingle/model/generation.h"

namespace ingle {

/// One bit per token, as `ConstraintMatcher::compute_mask` sets them; empty allows all.
using TokenMask = std::span<const std::uint32_t>;

/// Greedy without a temperature. Penalties and biases change the logits; then top-k, typical-p,
/// top-p and min-p cut, in this order and each on the distribution that the one before left; the
/// temperature is applied to what remains. The same seed and logits give the same tokens on every
/// machine. Not thread-safe.
class Sampler {
 public:
  /// `options` have been checked. `prompt`: what the repetition penalty looks at besides the reply.
  explicit Sampler(const GenerationOptions& options, std::span<const Token> prompt = {});

  /// Empty when no token is allowed or no logit is a number. Ties: the smaller token.
  [[nodiscard]] std::optional<Token> pick(std::span<const float> logits, TokenMask mask);

  /// The token is now part of the reply.
  void accept(Token token);

 private:
  struct Candidate {
    Token token;
    double weight;  ///< The logit, later the probability before normalising.
  };
  struct Seen {
    bool in_prompt = false;
    int times_in_reply = 0;
  };

  std::span<const float> adjusted(std::span<const float> logits);
  void collect(std::span<const float> logits, TokenMask mask);
  void keep_typical();
  void keep_by_probability();
  [[nodiscard]] double next_uniform();

  double temperature_;
  std::size_t top_k_;  ///< 0: off.
  double typical_p_;
  double top_p_;
  double min_p_;
  double repetition_penalty_;
  double presence_penalty_;
  double frequency_penalty_;
  std::map<Token, double> bias_;
  std::unordered_map<Token, Seen> seen_;  ///< Empty without penalties.
  bool has_penalties_;
  std::mt19937 random_;
  std::vector<Candidate> candidates_;
  std::vector<float> adjusted_;
};

/// The natural logarithm of the softmax of `logits` at `chosen`, and the `count` likeliest tokens,
/// the likeliest first. `bytes` are left empty.
[[nodiscard]] TokenChoice log_probabilities(std::span<const float> logits, Token chosen,
                                            std::size_t count);

}  // namespace ingle
