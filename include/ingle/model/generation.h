/// What a model is asked for, and what it gives back. Values.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ingle/core/json.h"
#include "ingle/model/message.h"
#include "ingle/schema/constraint.h"

namespace ingle {

using TokenCount = std::int64_t;

/// A tool as a model is told of it.
struct ToolSpec {
  std::string name = {};         ///< [A-Za-z0-9_-]{1,64}.
  std::string description = {};  ///< What it does and when to use it.
  Json parameters = {};          ///< JSON Schema of an object.

  bool operator==(const ToolSpec&) const = default;
};

/// What the model is shown: the context, a tail of notes, and the tools.
struct Prompt {
  std::vector<Message> messages = {};
  std::vector<ToolSpec> tools = {};
  /// Whose words come next. kAssistant for a reply; kUser lets `score` ask how likely a question
  /// is.
  Role next = Role::kAssistant;
};

/// May, must, or must not the model call a tool?
struct ToolChoice {
  enum class Kind : std::uint8_t {
    kAuto,      ///< The model decides.
    kNone,      ///< No call.
    kRequired,  ///< At least one call.
    kNamed,     ///< A call of the tool `name`.
  };
  Kind kind = Kind::kAuto;
  std::string name = {};  ///< kNamed only.

  bool operator==(const ToolChoice&) const = default;
};

/// May the model think before it answers?
enum class Thinking : std::uint8_t { kOff, kOn };

/// Options of one call. An unset option leaves the choice to the engine; what each engine does
/// then, and which options it honours, is the table in docs/engine.md. In the order in which they
/// work: penalties and biases change the logits, the cuts (top_k to min_p) take candidates away,
/// each from what the one before left, and the temperature is applied to what remains.
struct GenerationOptions {
  // Sampling.
  std::optional<double> temperature = {};  ///< [0, 2]; 0 is greedy. llama: 0.
  std::optional<std::int32_t> top_k = {};  ///< >= 1: only the k likeliest tokens. llama: off.
  /// (0, 1]: locally typical sampling, https://arxiv.org/abs/2202.00666. llama: off (1).
  std::optional<double> typical_p = {};
  std::optional<double> top_p = {};        ///< (0, 1]: nucleus. llama: off.
  std::optional<double> min_p = {};        ///< [0, 1]: relative to the likeliest. llama: off.
  std::optional<std::uint32_t> seed = {};  ///< llama: 0.
  /// (0, 10]: logits of tokens that the prompt or the reply has are divided (above 0) or multiplied
  /// (below 0) by it. llama: off (1).
  std::optional<double> repetition_penalty = {};
  /// [-2, 2]: subtracted from the logit of a token that the reply has. llama: off (0).
  std::optional<double> presence_penalty = {};
  /// [-2, 2]: subtracted for each time that the reply has the token. llama: off (0).
  std::optional<double> frequency_penalty = {};
  /// Added to a token's logit, [-100, 100]; -100 forbids the token. Ids are the model's own.
  std::map<Token, double> logit_bias = {};
  // Bounds.
  std::optional<TokenCount> max_tokens = {};  ///< >= 1; unset: until the context window is full.
  /// The reply ends before the one of these that is complete first; UTF-8, none is empty.
  std::vector<std::string> stop = {};
  // Form.
  std::optional<ConstraintSpec> constraint = {};  ///< The reply's text satisfies it.
  ToolChoice tool_choice = {};
  /// Several calls in one reply. Unset: as the model's format has it.
  std::optional<bool> parallel_tool_calls = {};
  /// Unset: as the template has it.
  std::optional<Thinking> thinking = {};
  /// >= 0: tokens of reasoning; then it is ended, and the answer begins. Unset: no bound.
  std::optional<TokenCount> reasoning_budget = {};
  // What is told besides.
  /// 0 to 20: log-probabilities of the tokens of the reply, and of that many alternatives.
  std::optional<std::int32_t> logprobs = {};

  bool operator==(const GenerationOptions&) const = default;
};

/// The options that an engine may honour or not; the bounds and the form are for all.
enum class GenerationOption : std::uint8_t {
  kTemperature,
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
  kLogprobs,
};

/// As the member of `GenerationOptions` is called.
[[nodiscard]] std::string_view to_string(GenerationOption option);
[[nodiscard]] std::span<const GenerationOption> all_generation_options();

/// Those that `options` sets.
[[nodiscard]] std::vector<GenerationOption> set_options(const GenerationOptions& options);

/// Checks the ranges above. Errors: invalid_argument "option_out_of_range", naming the option.
Result<void> check_options(const GenerationOptions& options);

/// A sentence for each option that is set and not among `honoured`: for `Completion::warnings`.
[[nodiscard]] std::vector<std::string> ignored_option_warnings(
    const GenerationOptions& options, std::span<const GenerationOption> honoured);

/// Tokens of one call or the sum of several.
struct Usage {
  /// All tokens of the prompt, cached ones included; of a prompt that was cancelled, those
  /// computed.
  TokenCount prompt_tokens = 0;
  TokenCount cached_tokens = 0;      ///< Those of them that were not computed again.
  TokenCount completion_tokens = 0;  ///< Tokens generated, the one that ends the reply included.

  /// Sums stop at the largest count instead of overflowing: a server may tell any.
  [[nodiscard]] TokenCount total() const;
  Usage& operator+=(const Usage& other);
  bool operator==(const Usage&) const = default;
};

enum class FinishReason : std::uint8_t {
  kStop,       ///< The model ended its reply, or a stop string did.
  kToolCalls,  ///< The reply asks for tool calls.
  kLength,     ///< max_tokens or the context window.
  kCancelled,  ///< The stop token or the deadline; the text is what there was until then.
};

[[nodiscard]] std::string_view to_string(FinishReason reason);
[[nodiscard]] std::optional<FinishReason> finish_reason_from(std::string_view name);

/// How likely a token was, as the natural logarithm, before penalties, biases, masks and
/// temperature.
struct TokenLogprob {
  Token token = 0;
  std::string bytes = {};  ///< What it adds to the reply; maybe a part of a character.
  double logprob = 0;
  bool operator==(const TokenLogprob&) const = default;
};

/// A token of the reply, and the likeliest ones at its place, the likeliest first.
struct TokenChoice {
  TokenLogprob chosen = {};
  std::vector<TokenLogprob> alternatives = {};  ///< As many as `GenerationOptions::logprobs`.
  bool operator==(const TokenChoice&) const = default;
};

/// A reply. Its message has the role kAssistant.
struct Completion {
  Message message = {};
  FinishReason finish_reason = FinishReason::kStop;
  Usage usage = {};
  std::vector<std::string> warnings =
      {};  ///< What was asked for and could not be honoured, a sentence each.
  /// With `GenerationOptions::logprobs`: one a token, the one that ends the reply too.
  std::vector<TokenChoice> logprobs = {};
};

/// Pieces of a reply as it comes; concatenated, they are the reply.
struct TextDelta {
  std::string text = {};  ///< Whole UTF-8 characters; no tool markup, no part of a stop string.
  bool operator==(const TextDelta&) const = default;
};
struct ReasoningDelta {
  std::string text = {};
  bool operator==(const ReasoningDelta&) const = default;
};
struct ToolCallDelta {
  std::int32_t index = 0;  ///< Place of the call in the reply, from 0.
  CallId id = {};          ///< Set in one delta of a call if the model gave one, else empty.
  std::string name = {};   ///< Set in the first delta of a call, else empty.
  std::string raw_arguments = {};  ///< A piece of `ToolCall::arguments_text()`.
  bool operator==(const ToolCallDelta&) const = default;
};
using Delta = std::variant<TextDelta, ReasoningDelta, ToolCallDelta>;

/// Takes deltas on the thread that generates: must return quickly and cannot cancel (use the
/// token).
class DeltaSink {
 public:
  virtual ~DeltaSink() = default;
  virtual void on_delta(const Delta& delta) = 0;
};

/// Drops every delta.
class NullDeltaSink final : public DeltaSink {
 public:
  void on_delta(const Delta&) override {}
};

}  // namespace ingle
