#include "engine_llama/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ingle {
namespace {

bool is_allowed(TokenMask mask, std::size_t token) {
  return mask.empty() ||
         (token / 32 < mask.size() && ((mask[token / 32] >> (token % 32)) & 1U) != 0);
}

std::optional<Token> pick_greedy(std::span<const float> logits, TokenMask mask) {
  std::optional<std::size_t> best;
  for (std::size_t token = 0; token < logits.size(); ++token) {
    if (std::isfinite(logits[token]) && (!best || logits[token] > logits[*best]) &&
        is_allowed(mask, token)) {
      best = token;
    }
  }
  return best ? std::optional<Token>(static_cast<Token>(*best)) : std::nullopt;
}

}  // namespace

Sampler::Sampler(const GenerationOptions& options)
    : temperature_(options.temperature.value_or(0.0)),
      top_k_(static_cast<std::size_t>(options.top_k.value_or(0))),
      top_p_(options.top_p.value_or(1.0)),
      min_p_(options.min_p.value_or(0.0)),
      random_(options.seed.value_or(0)) {}

std::optional<Token> Sampler::pick(std::span<const float> logits, TokenMask mask) {
  if (temperature_ == 0.0) {
    return pick_greedy(logits, mask);
  }
  collect(logits, mask);
  if (candidates_.empty()) {
    return std::nullopt;
  }
  keep_top_k();
  keep_by_probability();

  double maximum = candidates_.front().weight;
  for (const Candidate& candidate : candidates_) {
    maximum = std::max(maximum, candidate.weight);
  }
  double total = 0.0;
  for (Candidate& candidate : candidates_) {
    candidate.weight = std::exp((candidate.weight - maximum) / temperature_);
    total += candidate.weight;
  }
  double rest = next_uniform() * total;
  for (const Candidate& candidate : candidates_) {
    rest -= candidate.weight;
    if (rest < 0.0) {
      return candidate.token;
    }
  }
  return candidates_.back().token;  // rounding left a little of `rest`
}

void Sampler::collect(std::span<const float> logits, TokenMask mask) {
  candidates_.clear();
  for (std::size_t token = 0; token < logits.size(); ++token) {
    if (std::isfinite(logits[token]) && is_allowed(mask, token)) {
      candidates_.push_back({static_cast<Token>(token), static_cast<double>(logits[token])});
    }
  }
}

void Sampler::keep_top_k() {
  if (top_k_ == 0 || top_k_ >= candidates_.size()) {
    return;
  }
  const auto is_better = [](const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.token < b.token;
  };
  const auto end = candidates_.begin() + static_cast<std::ptrdiff_t>(top_k_);
  std::nth_element(candidates_.begin(), end - 1, candidates_.end(), is_better);
  candidates_.erase(end, candidates_.end());
}

void Sampler::keep_by_probability() {
  if (top_p_ >= 1.0 && min_p_ <= 0.0) {
    return;
  }
  const auto is_worse = [](const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight < b.weight : a.token > b.token;
  };
  std::make_heap(candidates_.begin(), candidates_.end(), is_worse);
  const double maximum = candidates_.front().weight;
  double total = 0.0;
  for (const Candidate& candidate : candidates_) {
    total += std::exp(candidate.weight - maximum);
  }
  // The likeliest move one by one to the back until enough mass is there; the likeliest always
  // stays.
  double mass = 0.0;
  auto rest = candidates_.end();
  while (rest != candidates_.begin() && mass < top_p_ * total) {
    std::pop_heap(candidates_.begin(), rest, is_worse);
    const double weight = std::exp((rest - 1)->weight - maximum);
    if (weight < min_p_) {
      break;
    }
    mass += weight;
    --rest;
  }
  candidates_.erase(candidates_.begin(), rest);
}

double Sampler::next_uniform() {
  // 53 random bits in [0, 1); std::uniform_real_distribution differs between libraries.
  const std::uint64_t high = random_() >> 5U;
  const std::uint64_t low = random_() >> 6U;
  return static_cast<double>((high << 26U) | low) * 0x1.0p-53;
}

}  // namespace ingle
