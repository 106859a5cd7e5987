// docs/prompted-tools.md says what is done here and what it was measured to do.
#include "ingle/model/prompted_tools.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "ingle/model/reply_parser.h"
#include "ingle/model/schema_text.h"
#include "model/bounded_arrays.h"
#include "model/copied_values.h"
#include "model/envelope.h"
#include "model/said_parameters.h"
#include "model/said_texts.h"
#include "model/shape_checker.h"
#include "model/tool_evidence.h"
#include "model/tool_prompt.h"

namespace ingle {
namespace {

constexpr std::size_t kMaxListItems = 12;  ///< Of a list that a small model writes.
constexpr std::int64_t kSmallModel =
    1'000'000'000;  ///< Weights; below, the harness chooses the tool.

bool is_stop(const Error& error) {
  return error.code == ErrorCode::kCancelled || error.code == ErrorCode::kDeadlineExceeded;
}

/// The same call was made in this turn already.
bool is_repeat(const ToolCall& call, const std::vector<ToolCall>& calls) {
  return std::ranges::any_of(calls, [&](const ToolCall& earlier) {
    return earlier.name == call.name && earlier.arguments == call.arguments &&
           (!call.is_malformed() || earlier.raw_arguments == call.raw_arguments);
  });
}

class ParsingSink final : public DeltaSink {
 public:
  explicit ParsingSink(DeltaSink& inner) : inner_(inner) {}
  void on_delta(const Delta& delta) override {
    if (const auto* text = std::get_if<TextDelta>(&delta)) {
      parser_.push(text->text, inner_);
    } else {
      inner_.on_delta(delta);
    }
  }
  Message finish() { return parser_.finish(inner_); }

 private:
  DeltaSink& inner_;
  ReplyParser parser_;
};

/// Keeps calls back until it is known whether they repeat something; text goes on at once.
class HoldCalls final : public DeltaSink {
 public:
  explicit HoldCalls(DeltaSink& inner) : inner_(inner) {}
  void on_delta(const Delta& delta) override {
    if (std::holds_alternative<ToolCallDelta>(delta)) {
      held_.push_back(delta);
    } else {
      inner_.on_delta(delta);
    }
  }
  void release() {
    for (const Delta& delta : held_) {
      inner_.on_delta(delta);
    }
  }

 private:
  DeltaSink& inner_;
  std::vector<Delta> held_;
};

class PromptedTools final : public LanguageModel {
 public:
  PromptedTools(std::shared_ptr<LanguageModel> inner, const ToolStrategy& strategy)
      : inner_(std::move(inner)), strategy_(strategy) {}

  [[nodiscard]] ModelInfo info() const override {
    ModelInfo info = inner_->info();
    info.tool_protocol = ToolProtocol::kPrompted;
    return info;
  }

  Result<Completion> generate(const Call& call, const Prompt& prompt,
                              const GenerationOptions& options, DeltaSink& sink) override;

  Result<TokenCount> count_tokens(const Prompt& prompt) override {
    return inner_->count_tokens(prompt.tools.empty() ? answer_prompt(newest_turn(prompt.messages))
                                                     : envelope_prompt(prompt));
  }

  Result<Scores> score(const Call& call, const Prompt& prompt,
                       std::span<const std::string> continuations) override {
    return inner_->score(call, prompt, continuations);
  }

 private:
  Result<Completion> answer(const Call& call, const Turn& turn, const GenerationOptions& options,
                            Usage used, DeltaSink& sink);
  Result<Completion> by_model(const Call& call, const Prompt& prompt, const Turn& turn,
                              const GenerationOptions& options, DeltaSink& sink);
  Result<Completion> by_channel(const Call& call, const Prompt& prompt, const Turn& turn,
                                const GenerationOptions& options, DeltaSink& sink);
  Result<std::optional<ToolSpec>> choose(const Call& call, const Prompt& prompt, const Turn& turn,
                                         const ToolChoice& choice, Usage& used);
  Result<Completion> write_call(const Call& call, const Turn& turn, const ToolSpec& tool,
                                const GenerationOptions& options);
  [[nodiscard]] bool uses_channel() const;

  const std::shared_ptr<LanguageModel> inner_;
  const ToolStrategy strategy_;
  const ShapeChecker checker_;
};

bool PromptedTools::uses_channel() const {
  switch (strategy_.selection) {
    case ToolSelection::kModel:
      return false;
    case ToolSelection::kChannel:
      return true;
    case ToolSelection::kAutomatic: {
      const ModelInfo info = inner_->info();
      return info.can_score && info.parameters > 0 && info.parameters < kSmallModel;
    }
  }
  return false;
}

/// Only the tools that may be called: all, or the one that was named.
Result<std::vector<ToolSpec>> offered(const Prompt& prompt, const ToolChoice& choice) {
  if (choice.kind != ToolChoice::Kind::kNamed) {
    return prompt.tools;
  }
  for (const ToolSpec& tool : prompt.tools) {
    if (tool.name == choice.name) {
      return std::vector{tool};
    }
  }
  return Error{.code = ErrorCode::kInvalidArgument,
               .reason = "prompt_invalid",
               .message = "tool_choice names " + choice.name + ", which is no tool of the prompt",
               .details = {}};
}

/// The tool of the turn's last call, if it failed and may be tried again.
std::optional<ToolSpec> next_attempt(const Turn& turn, const std::vector<ToolSpec>& tools,
                                     std::int32_t max_attempts) {
  const std::string& name = turn.calls.back().name;
  std::int32_t failures = 0;
  for (const Message& result : turn.results) {
    if (result.tool_name == name) {
      if (!result.is_error) {
        return std::nullopt;
      }
      ++failures;
    }
  }
  const auto tool = std::ranges::find(tools, name, &ToolSpec::name);
  if (tool == tools.end() || failures >= max_attempts) {
    return std::nullopt;
  }
  return *tool;
}

/// What text arguments are limited to. First: the words of the question. After a failure: those of
/// them that the error mentions too and that were not tried yet - "there is no x; the folder has y"
/// - or else nothing, and the model writes freely.
SaidValues values_to_copy(const Turn& turn, const ToolSpec& tool) {
  SaidValues values{.texts = word_spans(turn.question)};
  std::string errors;
  for (const Message& result : turn.results) {
    if (result.tool_name == tool.name && result.is_error) {
      errors += result.text() + "\n";
    }
  }
  if (errors.empty()) {
    values.lists = said_lists(turn.question);
    values.numbers = said_numbers(turn.question);
    values.numbers_wanted = required_numbers(*tool.parameters);
    return values;
  }
  std::vector<std::string> fresh = spans_within(values.texts, errors);
  for (const ToolCall& call : turn.calls) {
    for (const json& tried : *call.arguments) {
      // Errors quote what was tried: parts of that are not news.
      std::erase_if(fresh, [&](const std::string& span) {
        return tried.is_string() &&
               tried.get_ref<const std::string&>().find(span) != std::string::npos;
      });
    }
  }
  values.texts = std::move(fresh);
  return values;
}

Result<Completion> PromptedTools::generate(const Call& call, const Prompt& prompt,
                                           const GenerationOptions& options, DeltaSink& sink) {
  INGLE_RETURN_IF_ERROR(check_options(options));
  const bool has_tool_messages = std::ranges::any_of(prompt.messages, [](const Message& message) {
    return message.role == Role::kTool || !message.tool_calls.empty();
  });
  const bool may_call =
      !prompt.tools.empty() && options.tool_choice.kind != ToolChoice::Kind::kNone;
  if (!may_call && !has_tool_messages) {
    GenerationOptions plain = options;
    plain.tool_choice = {};
    return inner_->generate(call, {.messages = prompt.messages, .tools = {}, .next = prompt.next},
                            plain, sink);
  }
  const Turn turn = newest_turn(prompt.messages);
  if (!may_call) {
    return answer(call, turn, options, {}, sink);
  }
  if (options.constraint) {
    return Error{.code = ErrorCode::kUnsupported,
                 .reason = "constraint_unsupported",
                 .message =
                     "a constraint on the reply and tools cannot be combined on this model: "
                     "set tool_choice to none, or leave the constraint out",
                 .details = {}};
  }
  return uses_channel() ? by_channel(call, prompt, turn, options, sink)
                        : by_model(call, prompt, turn, options, sink);
}

Result<Completion> PromptedTools::answer(const Call& call, const Turn& turn,
                                         const GenerationOptions& options, Usage used,
                                         DeltaSink& sink) {
  GenerationOptions plain = options;
  plain.tool_choice = {};
  INGLE_TRY(Completion completion, inner_->generate(call, answer_prompt(turn), plain, sink));
  completion.usage += used;
  return completion;
}

Result<Completion> PromptedTools::by_model(const Call& call, const Prompt& prompt, const Turn& turn,
                                           const GenerationOptions& options, DeltaSink& sink) {
  INGLE_TRY(const std::vector<ToolSpec> tools, offered(prompt, options.tool_choice));
  std::vector<std::string> warnings;
  std::vector<ToolSpec> expressible;
  for (const ToolSpec& tool : tools) {
    expressible.push_back(checker_.expressible_form(tool, warnings));
  }
  const bool is_forced = options.tool_choice.kind != ToolChoice::Kind::kAuto;
  GenerationOptions constrained = options;
  constrained.tool_choice = {};
  constrained.constraint =
      reply_grammar(expressible, is_forced ? Prose::kForbidden : Prose::kAllowed);

  HoldCalls held(sink);
  ParsingSink parsing(held);
  const Prompt asked = envelope_prompt({.messages = prompt.messages, .tools = tools});
  INGLE_TRY(Completion completion, inner_->generate(call, asked, constrained, parsing));
  completion.warnings.insert(completion.warnings.end(), warnings.begin(), warnings.end());
  // Thoughts are the inner model's, and stay as it gave them.
  Message read = parsing.finish();
  std::erase_if(completion.message.content, [](const ContentPart& part) {
    return !std::holds_alternative<ReasoningPart>(part);
  });
  read.content.insert(read.content.begin(), completion.message.content.begin(),
                      completion.message.content.end());
  completion.message = std::move(read);
  const auto& calls = completion.message.tool_calls;
  if (calls.empty()) {
    return completion;
  }
  if (std::ranges::all_of(calls,
                          [&](const ToolCall& made) { return is_repeat(made, turn.calls); })) {
    return answer(call, turn, options, completion.usage, sink);
  }
  held.release();
  if (completion.finish_reason == FinishReason::kStop) {
    completion.finish_reason = FinishReason::kToolCalls;
  }
  return completion;
}

Result<Completion> PromptedTools::by_channel(const Call& call, const Prompt& prompt,
                                             const Turn& turn, const GenerationOptions& options,
                                             DeltaSink& sink) {
  Usage used;
  auto chosen = choose(call, prompt, turn, options.tool_choice, used);
  if (!chosen) {
    if (is_stop(chosen.error())) {
      return Completion{.message = Message::assistant(""),
                        .finish_reason = FinishReason::kCancelled,
                        .usage = used,
                        .warnings = {}};
    }
    return chosen.error();
  }
  if (!*chosen) {
    return answer(call, turn, options, used, sink);
  }
  const ToolSpec& tool = **chosen;
  INGLE_TRY(Completion completion, write_call(call, turn, tool, options));
  completion.usage += used;
  if (completion.finish_reason == FinishReason::kCancelled) {
    return completion;
  }
  const ToolCall& made = completion.message.tool_calls.front();
  if (is_repeat(made, turn.calls)) {
    return answer(call, turn, options, completion.usage, sink);
  }
  sink.on_delta(
      ToolCallDelta{.index = 0, .name = made.name, .raw_arguments = made.arguments_text()});
  return completion;
}

/// The tool under which the question is most likely; none when it is likelier without tools, or
/// when that tool has done its work in this turn.
Result<std::optional<ToolSpec>> PromptedTools::choose(const Call& call, const Prompt& prompt,
                                                      const Turn& turn, const ToolChoice& choice,
                                                      Usage& used) {
  INGLE_TRY(const std::vector<ToolSpec> all, offered(prompt, choice));
  const bool is_forced = choice.kind != ToolChoice::Kind::kAuto;
  if (!is_forced && !turn.calls.empty()) {
    // The question is the same as when the first call was chosen, and so would be the choice.
    return next_attempt(turn, all, strategy_.max_attempts);
  }
  if (is_forced && all.size() == 1) {
    return std::optional(all.front());
  }
  const std::vector<ToolCandidate> candidates =
      most_evident(all, turn.question, strategy_.max_scored_tools);
  std::vector<Prompt> prompts;
  for (const ToolCandidate& candidate : candidates) {
    prompts.push_back(channel_prompt(candidate.tool));
  }
  if (!is_forced) {
    prompts.push_back(channel_prompt_without_tool());
  }
  INGLE_TRY(const Scores scores, inner_->score_behind_each(call, prompts, turn.question));
  used += scores.usage;
  const auto& likelihoods = scores.log_likelihoods;
  std::size_t best = 0;
  double best_score = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double score = likelihoods[i] + choice_bonus(candidates[i].evidence, strategy_);
    if (i == 0 || score > best_score) {
      best = i;
      best_score = score;
    }
  }
  const bool fits = is_forced || likelihoods[best] - likelihoods.back() +
                                         fit_bonus(candidates[best].evidence, strategy_) >
                                     strategy_.threshold;
  return fits ? std::optional(candidates[best].tool) : std::nullopt;
}

Result<Completion> PromptedTools::write_call(const Call& call, const Turn& turn,
                                             const ToolSpec& tool,
                                             const GenerationOptions& options) {
  ToolSpec narrowed = tool;
  narrowed.parameters = strategy_.fills_said_parameters
                            ? said_parameters(tool.parameters, turn.question)
                            : required_only(tool.parameters);
  GenerationOptions constrained = options;
  constrained.tool_choice = {};
  std::vector<std::string> warnings;
  const Json shape = with_bounded_arrays(
      limited_to(checker_.expressible_form(narrowed, warnings).parameters,
                 strategy_.copies_arguments ? values_to_copy(turn, narrowed) : SaidValues{}),
      kMaxListItems);
  constrained.constraint =
      ConstraintSpec{.kind = ConstraintKind::kJsonSchema, .text = schema_text(shape)};
  // They look at the answer: a stop such as a line break would cut the call.
  constrained.stop.clear();
  constrained.max_tokens = std::min(options.max_tokens.value_or(strategy_.max_argument_tokens),
                                    strategy_.max_argument_tokens);
  NullDeltaSink silent;
  Completion completion{.message = Message::assistant("{}")};
  if (!takes_nothing(narrowed.parameters)) {
    INGLE_TRY(completion,
              inner_->generate(call, arguments_prompt(turn, narrowed), constrained, silent));
  }
  completion.warnings.insert(completion.warnings.end(), warnings.begin(), warnings.end());
  if (completion.finish_reason == FinishReason::kCancelled) {
    completion.message = Message::assistant("");  // Half a call is nothing to show.
    return completion;
  }
  const std::string text = completion.message.text();
  ToolCall made = ToolCall::of_text({}, tool.name, text);
  if (Json plain = without_loops(made.arguments, kMaxListItems);
      !made.is_malformed() && plain != made.arguments) {
    made.arguments = std::move(plain);
    made.raw_arguments.clear();
  }
  completion.message = Message::assistant("");
  completion.message.tool_calls.push_back(std::move(made));
  // A call that was cut is still a call: it is malformed, and the model is told so.
  completion.finish_reason = FinishReason::kToolCalls;
  return completion;
}

}  // namespace

std::shared_ptr<LanguageModel> with_prompted_tools(std::shared_ptr<LanguageModel> inner,
                                                   const ToolStrategy& strategy) {
  const bool needs_none = strategy.selection == ToolSelection::kAutomatic &&
                          inner->info().tool_protocol == ToolProtocol::kNative;
  if (needs_none) {
    return inner;
  }
  return std::make_shared<PromptedTools>(std::move(inner), strategy);
}

}  // namespace ingle
