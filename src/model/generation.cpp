#include "ingle/model/generation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "ingle/core/utf8.h"

namespace ingle {
namespace {

Error out_of_range(std::string_view option, std::string_view range) {
  return {ErrorCode::kInvalidArgument,
          "option_out_of_range",
          "the option " + std::string(option) + " must be " + std::string(range),
          {}};
}

TokenCount saturated_sum(TokenCount a, TokenCount b) {
  using Limits = std::numeric_limits<TokenCount>;
  if (b > 0 && a > Limits::max() - b) {
    return Limits::max();
  }
  if (b < 0 && a < Limits::min() - b) {
    return Limits::min();
  }
  return a + b;
}

}  // namespace

Result<void> check_options(const GenerationOptions& options) {
  // Written so that NaN, which compares false with everything, is refused.
  if (options.temperature && !(*options.temperature >= 0.0 && *options.temperature <= 2.0)) {
    return out_of_range("temperature", "from 0 to 2");
  }
  if (options.top_k && *options.top_k < 1) {
    return out_of_range("top_k", "at least 1");
  }
  if (options.typical_p && !(*options.typical_p > 0.0 && *options.typical_p <= 1.0)) {
    return out_of_range("typical_p", "greater than 0 and at most 1");
  }
  if (options.top_p && !(*options.top_p > 0.0 && *options.top_p <= 1.0)) {
    return out_of_range("top_p", "greater than 0 and at most 1");
  }
  if (options.min_p && !(*options.min_p >= 0.0 && *options.min_p <= 1.0)) {
    return out_of_range("min_p", "from 0 to 1");
  }
  if (options.repetition_penalty &&
      !(*options.repetition_penalty > 0.0 && *options.repetition_penalty <= 10.0)) {
    return out_of_range("repetition_penalty", "greater than 0 and at most 10");
  }
  if (options.presence_penalty && !(std::abs(*options.presence_penalty) <= 2.0)) {
    return out_of_range("presence_penalty", "from -2 to 2");
  }
  if (options.frequency_penalty && !(std::abs(*options.frequency_penalty) <= 2.0)) {
    return out_of_range("frequency_penalty", "from -2 to 2");
  }
  if (std::ranges::any_of(options.logit_bias, [](const auto& bias) {
        return bias.first < 0 || !(std::abs(bias.second) <= 100.0);
      })) {
    return out_of_range("logit_bias", "a map of token ids, from 0, to numbers from -100 to 100");
  }
  if (options.reasoning_budget && *options.reasoning_budget < 0) {
    return out_of_range("reasoning_budget", "at least 0");
  }
  if (options.logprobs && (*options.logprobs < 0 || *options.logprobs > 20)) {
    return out_of_range("logprobs", "from 0 to 20");
  }
  if (options.max_tokens && *options.max_tokens < 1) {
    return out_of_range("max_tokens", "at least 1");
  }
  if (std::any_of(options.stop.begin(), options.stop.end(),
                  [](const std::string& text) { return text.empty() || !is_valid_utf8(text); })) {
    return out_of_range("stop", "a list of UTF-8 strings, none of them empty");
  }
  if (options.tool_choice.kind == ToolChoice::Kind::kNamed && options.tool_choice.name.empty()) {
    return out_of_range("tool_choice", "given a tool's name when its kind is kNamed");
  }
  return {};
}

std::string_view to_string(GenerationOption option) {
  switch (option) {
    case GenerationOption::kTemperature:
      return "temperature";
    case GenerationOption::kTopK:
      return "top_k";
    case GenerationOption::kTypicalP:
      return "typical_p";
    case GenerationOption::kTopP:
      return "top_p";
    case GenerationOption::kMinP:
      return "min_p";
    case GenerationOption::kSeed:
      return "seed";
    case GenerationOption::kRepetitionPenalty:
      return "repetition_penalty";
    case GenerationOption::kPresencePenalty:
      return "presence_penalty";
    case GenerationOption::kFrequencyPenalty:
      return "frequency_penalty";
    case GenerationOption::kLogitBias:
      return "logit_bias";
    case GenerationOption::kStop:
      return "stop";
    case GenerationOption::kParallelToolCalls:
      return "parallel_tool_calls";
    case GenerationOption::kThinking:
      return "thinking";
    case GenerationOption::kReasoningBudget:
      return "reasoning_budget";
    case GenerationOption::kLogprobs:
      return "logprobs";
  }
  return "";
}

std::span<const GenerationOption> all_generation_options() {
  using enum GenerationOption;
  static constexpr std::array kAll = {kTemperature,
                                      kTopK,
                                      kTypicalP,
                                      kTopP,
                                      kMinP,
                                      kSeed,
                                      kRepetitionPenalty,
                                      kPresencePenalty,
                                      kFrequencyPenalty,
                                      kLogitBias,
                                      kStop,
                                      kParallelToolCalls,
                                      kThinking,
                                      kReasoningBudget,
                                      kLogprobs};
  return kAll;
}

std::vector<GenerationOption> set_options(const GenerationOptions& options) {
  using enum GenerationOption;
  const std::pair<GenerationOption, bool> all[] = {
      {kTemperature, options.temperature.has_value()},
      {kTopK, options.top_k.has_value()},
      {kTypicalP, options.typical_p.has_value()},
      {kTopP, options.top_p.has_value()},
      {kMinP, options.min_p.has_value()},
      {kSeed, options.seed.has_value()},
      {kRepetitionPenalty, options.repetition_penalty.has_value()},
      {kPresencePenalty, options.presence_penalty.has_value()},
      {kFrequencyPenalty, options.frequency_penalty.has_value()},
      {kLogitBias, !options.logit_bias.empty()},
      {kStop, !options.stop.empty()},
      {kParallelToolCalls, options.parallel_tool_calls.has_value()},
      {kThinking, options.thinking.has_value()},
      {kReasoningBudget, options.reasoning_budget.has_value()},
      {kLogprobs, options.logprobs.has_value()}};
  std::vector<GenerationOption> set;
  for (const auto& [option, is_set] : all) {
    if (is_set) {
      set.push_back(option);
    }
  }
  return set;
}

std::vector<std::string> ignored_option_warnings(const GenerationOptions& options,
                                                 std::span<const GenerationOption> honoured) {
  std::vector<std::string> warnings;
  for (const GenerationOption option : set_options(options)) {
    if (std::ranges::find(honoured, option) == honoured.end()) {
      warnings.push_back("The option " + std::string(to_string(option)) +
                         " is not honoured by this model.");
    }
  }
  return warnings;
}

TokenCount Usage::total() const { return saturated_sum(prompt_tokens, completion_tokens); }

Usage& Usage::operator+=(const Usage& other) {
  prompt_tokens = saturated_sum(prompt_tokens, other.prompt_tokens);
  cached_tokens = saturated_sum(cached_tokens, other.cached_tokens);
  completion_tokens = saturated_sum(completion_tokens, other.completion_tokens);
  return *this;
}

std::string_view to_string(FinishReason reason) {
  switch (reason) {
    case FinishReason::kStop:
      return "stop";
    case FinishReason::kToolCalls:
      return "tool_calls";
    case FinishReason::kLength:
      return "length";
    case FinishReason::kCancelled:
      return "cancelled";
  }
  return "";
}

std::optional<FinishReason> finish_reason_from(std::string_view name) {
  for (const FinishReason reason : {FinishReason::kStop, FinishReason::kToolCalls,
                                    FinishReason::kLength, FinishReason::kCancelled}) {
    if (to_string(reason) == name) {
      return reason;
    }
  }
  return std::nullopt;
}

}  // namespace ingle
