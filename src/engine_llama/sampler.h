/// Chooses the next token from the model's logits.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "ingle/model/generation.h"

namespace ingle {

/// One bit per token, as `ConstraintMatcher::compute_mask` sets them; empty allows all.
using TokenMask = std::span<const std::uint32_t>;

/// Greedy without a temperature. Otherwise top-k, top-p and min-p cut, in this order and each on
/// the distribution that the one before left, before the temperature is applied to what remains.
/// The same seed and logits give the same tokens on every machine. Not thread-safe.
class Sampler {
 public:
  /// `options` have been checked.
  explicit Sampler(const GenerationOptions& options);

  /// Empty when no token is allowed or no logit is a number. Ties: the smaller token.
  [[nodiscard]] std::optional<Token> pick(std::span<const float> logits, TokenMask mask);

 private:
  struct Candidate {
    Token token;
    double weight;  ///< The logit, later the probability before normalising.
  };

  void collect(std::span<const float> logits, TokenMask mask);
  void keep_top_k();
  void keep_by_probability();
  [[nodiscard]] double next_uniform();

  double temperature_;
  std::size_t top_k_;  ///< 0: off.
  double top_p_;
  double min_p_;
  std::mt19937 random_;
  std::vector<Candidate> candidates_;
};

}  // namespace ingle
