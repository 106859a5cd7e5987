#include "engine_llama/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

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

Sampler::Sampler(const GenerationOptions& options, std::span<const Token> prompt)
    : temperature_(options.temperature.value_or(0.0)),
      top_k_(static_cast<std::size_t>(options.top_k.value_or(0))),
      typical_p_(options.typical_p.value_or(1.0)),
      top_p_(options.top_p.value_or(1.0)),
      min_p_(options.min_p.value_or(0.0)),
      repetition_penalty_(options.repetition_penalty.value_or(1.0)),
      presence_penalty_(options.presence_penalty.value_or(0.0)),
      frequency_penalty_(options.frequency_penalty.value_or(0.0)),
      bias_(options.logit_bias),
      has_penalties_(repetition_penalty_ != 1.0 || presence_penalty_ != 0.0 ||
                     frequency_penalty_ != 0.0),
      random_(options.seed.value_or(0)) {
  if (has_penalties_) {
    for (const Token token : prompt) {
      seen_[token].in_prompt = true;
    }
  }
}

void Sampler::accept(Token token) {
  if (has_penalties_) {
    ++seen_[token].times_in_reply;
  }
}

std::span<const float> Sampler::adjusted(std::span<const float> logits) {
  if (!has_penalties_ && bias_.empty()) {
    return logits;
  }
  adjusted_.assign(logits.begin(), logits.end());
  const auto change = [this](Token token, auto&& function) {
    const auto index = static_cast<std::size_t>(token);
    if (token >= 0 && index < adjusted_.size()) {
      adjusted_[index] = static_cast<float>(function(static_cast<double>(adjusted_[index])));
    }
  };
  for (const auto& [token, seen] : seen_) {
    change(token, [&, &counts = seen](double logit) {
      logit = logit > 0.0 ? logit / repetition_penalty_ : logit * repetition_penalty_;
      const double times = counts.times_in_reply;
      return logit - (times > 0.0 ? presence_penalty_ : 0.0) - times * frequency_penalty_;
    });
  }
  for (const auto& [token, bias] : bias_) {
    change(token,
           [amount = bias](double logit) { return amount <= -100.0 ? -HUGE_VAL : logit + amount; });
  }
  return adjusted_;
}

std::optional<Token> Sampler::pick(std::span<const float> given, TokenMask mask) {
  const std::span<const float> logits = adjusted(given);
  if (temperature_ == 0.0) {
    return pick_greedy(logits, mask);
  }
  collect(logits, mask);
  if (candidates_.empty()) {
    return std::nullopt;
  }
  keep_typical();
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

/// The tokens that may be taken; with top-k those k at once, without a list of all the others.
void Sampler::collect(std::span<const float> logits, TokenMask mask) {
  const auto is_better = [](const Candidate& a, const Candidate& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.token < b.token;
  };
  candidates_.clear();
  for (std::size_t token = 0; token < logits.size(); ++token) {
    const bool is_full = top_k_ > 0 && candidates_.size() == top_k_;
    // In front of a full heap stands its worst; later tokens lose a tie.
    if ((is_full && !(logits[token] > candidates_.front().weight)) ||
        !std::isfinite(logits[token]) || !is_allowed(mask, token)) {
      continue;
    }
    if (is_full) {
      std::ranges::pop_heap(candidates_, is_better);
      candidates_.pop_back();
    }
    candidates_.push_back({static_cast<Token>(token), static_cast<double>(logits[token])});
    if (top_k_ > 0) {
      std::ranges::push_heap(candidates_, is_better);
    }
  }
}

/// Keeps the tokens whose surprise is nearest to what is to be expected, the entropy.
void Sampler::keep_typical() {
  if (typical_p_ >= 1.0) {
    return;
  }
  const double maximum = std::ranges::max_element(candidates_, {}, &Candidate::weight)->weight;
  double total = 0.0;
  for (const Candidate& candidate : candidates_) {
    total += std::exp(candidate.weight - maximum);
  }
  const auto surprise = [&](const Candidate& candidate) {
    return maximum + std::log(total) - candidate.weight;
  };
  double entropy = 0.0;
  for (const Candidate& candidate : candidates_) {
    const double bits = surprise(candidate);
    entropy += std::exp(-bits) * bits;
  }
  std::ranges::sort(candidates_, [&](const Candidate& a, const Candidate& b) {
    const double distance_a = std::abs(surprise(a) - entropy);
    const double distance_b = std::abs(surprise(b) - entropy);
    return distance_a != distance_b ? distance_a < distance_b : a.token < b.token;
  });
  double mass = 0.0;
  std::size_t count = 0;
  while (count < candidates_.size() && mass < typical_p_) {
    mass += std::exp(-surprise(candidates_[count]));
    ++count;
  }
  candidates_.resize(std::max<std::size_t>(count, 1));
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

TokenChoice log_probabilities(std::span<const float> logits, Token chosen, std::size_t count) {
  double maximum = -HUGE_VAL;
  for (const float logit : logits) {
    maximum = std::max(maximum, static_cast<double>(logit));
  }
  double total = 0.0;
  for (const float logit : logits) {
    total += std::exp(static_cast<double>(logit) - maximum);
  }
  const double shift = maximum + std::log(total);
  const auto logprob = [&](std::size_t token) {
    return static_cast<double>(logits[token]) - shift;
  };
  TokenChoice choice{.chosen = {.token = chosen,
                                .bytes = {},
                                .logprob = logprob(static_cast<std::size_t>(chosen))},
                     .alternatives = {}};
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
    return logits[a] != logits[b] ? logits[a] > logits[b] : a < b;
  });
  for (auto token = order.begin(); token != end; ++token) {
    choice.alternatives.push_back(
        {.token = static_cast<Token>(*token), .bytes = {}, .logprob = logprob(*token)});
  }
  return choice;
}

double Sampler::next_uniform() {
  // 53 random bits in [0, 1); std::uniform_real_distribution differs between libraries.
  const std::uint64_t high = random_() >> 5U;
  const std::uint64_t low = random_() >> 6U;
  return static_cast<double>((high << 26U) | low) * 0x1.0p-53;
}

}  // namespace ingle
