#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine_llama/constraint_cache.h"
#include "engine_llama/llama_parts.h"
#include "engine_llama/owner_thread.h"
#include "engine_llama/prefix_scorer.h"
#include "engine_llama/reply_task.h"
#include "engine_llama/score_task.h"
#include "engine_llama/tokenizer.h"

namespace ingle {
namespace {

Error context_exceeded(std::size_t tokens, TokenCount window) {
  return {ErrorCode::kResourceExhausted, "context_length_exceeded",
          "the prompt has " + std::to_string(tokens) + " tokens, and the context window of " +
              std::to_string(window) + " must hold it and a reply",
          json{{"prompt_tokens", tokens}, {"context_window", window}}};
}

Completion cancelled_reply() {
  Completion completion;
  completion.message.role = Role::kAssistant;
  completion.finish_reason = FinishReason::kCancelled;
  return completion;
}

Error unsupported(std::string reason, std::string message) {
  return {ErrorCode::kUnsupported, std::move(reason), std::move(message), {}};
}

bool may_call(const Prompt& prompt, const GenerationOptions& options) {
  return !prompt.tools.empty() && options.tool_choice.kind != ToolChoice::Kind::kNone;
}

/// A rendered prompt with its tokens.
struct TokenizedChat {
  RenderedChat rendered;
  std::vector<Token> tokens;
};

class LlamaModel final : public LanguageModel {
 public:
  LlamaModel(LlamaParts parts, ModelInfo info)
      : parts_(std::move(parts)),
        info_(std::move(info)),
        tokenizer_(llama_model_get_vocab(parts_.model.get())),
        constraints_([this] { return tokenizer_.token_table(); }) {}

  [[nodiscard]] ModelInfo info() const override { return info_; }

  Result<Completion> generate(const Call& call, const Prompt& prompt,
                              const GenerationOptions& options, DeltaSink& sink) override;

  Result<TokenCount> count_tokens(const Prompt& prompt) override {
    INGLE_TRY(const TokenizedChat chat, tokenize(prompt));
    return static_cast<TokenCount>(chat.tokens.size());
  }

  Result<Scores> score(const Call& call, const Prompt& prompt,
                       std::span<const std::string> continuations) override;

  Result<Scores> score_behind_each(const Call& call, std::span<const Prompt> prompts,
                                   const std::string& text) override;

 private:
  Result<void> check_request(const Prompt& prompt, const GenerationOptions& options) const;
  Result<TokenizedChat> tokenize(const Prompt& prompt, const GenerationOptions& options = {},
                                 SchemaDetail detail = SchemaDetail::kFull) const;
  Result<std::optional<GrammarFilter>> grammar_for(const ReplySyntax* syntax) const;
  Result<ReplyTask> prepare(const Prompt& prompt, const GenerationOptions& options,
                            TokenizedChat& chat);
  Result<std::optional<Scores>> score_in_rows(std::span<const PrefixScorer::Item> items,
                                              const OwnerThread::StopCheck& stop);
  static Result<Scores> finished(const Call& call, Result<std::optional<Scores>> scores);

  LlamaParts parts_;
  const ModelInfo info_;
  const Tokenizer tokenizer_;
  ConstraintCache constraints_;
  std::unique_ptr<PrefixScorer> scorer_;  ///< Made when it is first used, on the owner thread.
  OwnerThread owner_;                     ///< Last: it uses all of the above.
};

Result<Completion> LlamaModel::generate(const Call& call, const Prompt& prompt,
                                        const GenerationOptions& options, DeltaSink& sink) {
  INGLE_RETURN_IF_ERROR(check_options(options));
  INGLE_RETURN_IF_ERROR(check_request(prompt, options));
  if (call.should_stop()) {
    return cancelled_reply();
  }
  TokenizedChat chat;
  INGLE_TRY(ReplyTask task, prepare(prompt, options, chat));
  Result<Completion> reply = cancelled_reply();
  owner_.run(call, [&](const OwnerThread::StopCheck& stop) {
    reply = write_reply(*parts_.decoder, tokenizer_, std::move(task), stop, sink);
  });
  return reply;
}

Result<void> LlamaModel::check_request(const Prompt& prompt,
                                       const GenerationOptions& options) const {
  const bool is_forced = options.tool_choice.kind == ToolChoice::Kind::kRequired ||
                         options.tool_choice.kind == ToolChoice::Kind::kNamed;
  if (is_forced && info_.tool_protocol != ToolProtocol::kNative) {
    return unsupported("tools_unsupported",
                       "this model cannot be made to call tools; wrap it by with_prompted_tools");
  }
  if (is_forced && prompt.tools.empty()) {
    return Error{ErrorCode::kInvalidArgument,
                 "prompt_invalid",
                 "tool_choice requires a call, and the prompt has no tools",
                 {}};
  }
  if (options.constraint && may_call(prompt, options)) {
    return unsupported("constraint_unsupported",
                       "a constraint on the reply and tools cannot be combined: set tool_choice to "
                       "none, or leave the constraint out");
  }
  return {};
}

Result<TokenizedChat> LlamaModel::tokenize(const Prompt& prompt, const GenerationOptions& options,
                                           SchemaDetail detail) const {
  TokenizedChat chat;
  INGLE_TRY(chat.rendered, parts_.chat_template.render(prompt, options, detail));
  INGLE_TRY(chat.tokens, tokenizer_.tokenize_prompt(chat.rendered.pieces));
  if (chat.tokens.empty()) {
    return Error{ErrorCode::kInvalidArgument, "prompt_invalid", "the prompt is empty", {}};
  }
  return chat;
}

Result<std::optional<GrammarFilter>> LlamaModel::grammar_for(const ReplySyntax* syntax) const {
  if (syntax == nullptr || syntax->grammar().text.empty()) {
    return std::optional<GrammarFilter>();
  }
  INGLE_TRY(GrammarFilter filter,
            GrammarFilter::create(llama_model_get_vocab(parts_.model.get()), tokenizer_,
                                  syntax->grammar(), syntax->begun()));
  return std::optional<GrammarFilter>(std::move(filter));
}

/// `chat` gets what the task points to.
Result<ReplyTask> LlamaModel::prepare(const Prompt& prompt, const GenerationOptions& options,
                                      TokenizedChat& chat) {
  INGLE_TRY(chat, tokenize(prompt, options));
  if (static_cast<TokenCount>(chat.tokens.size()) + 1 > info_.context_window) {
    return context_exceeded(chat.tokens.size(), info_.context_window);
  }
  ReplyTask task;
  task.context_window = info_.context_window;
  task.options = &options;
  auto grammar = grammar_for(chat.rendered.syntax.get());
  if (!grammar) {
    INGLE_TRY(chat, tokenize(prompt, options, SchemaDetail::kLoose));
    grammar = grammar_for(chat.rendered.syntax.get());
    if (!grammar) {
      return grammar.error();
    }
    task.warnings.emplace_back(
        "The tools' schemas are too large for a grammar: bounds and patterns are checked when the "
        "arguments have been written.");
  }
  task.grammar = *std::move(grammar);
  task.prompt = chat.tokens;
  // A constraint is the form of the reply; only thoughts, if they are wanted, stand before it.
  if (!options.constraint || options.thinking == Thinking::kOn) {
    task.syntax = chat.rendered.syntax;
  }
  if (options.constraint) {
    INGLE_TRY(const Constraint constraint, constraints_.get(*options.constraint));
    task.matcher = constraint.start();
  }
  task.warnings.insert(task.warnings.end(), chat.rendered.warnings.begin(),
                       chat.rendered.warnings.end());
  for (std::string& warning : ignored_option_warnings(options, info_.options)) {
    task.warnings.push_back(std::move(warning));
  }
  return task;
}

Result<Scores> LlamaModel::score(const Call& call, const Prompt& prompt,
                                 std::span<const std::string> continuations) {
  INGLE_RETURN_IF_ERROR(call.check());
  INGLE_TRY(const TokenizedChat chat, tokenize(prompt));
  std::vector<std::vector<Token>> parts;
  std::size_t longest = 1;
  for (const std::string& text : continuations) {
    INGLE_TRY(std::vector<Token> part, tokenizer_.tokenize(text, Tokenizer::Markup::kPlain));
    longest = std::max(longest, part.size());
    parts.push_back(std::move(part));
  }
  if (static_cast<TokenCount>(chat.tokens.size() + longest) > info_.context_window) {
    return context_exceeded(chat.tokens.size() + longest - 1, info_.context_window);
  }
  Result<std::optional<Scores>> scores = std::optional<Scores>();
  owner_.run(call, [&](const OwnerThread::StopCheck& stop) {
    scores = score_continuations(*parts_.decoder, chat.tokens, parts, stop);
  });
  return finished(call, std::move(scores));
}

Result<Scores> LlamaModel::score_behind_each(const Call& call, std::span<const Prompt> prompts,
                                             const std::string& text) {
  INGLE_RETURN_IF_ERROR(call.check());
  INGLE_TRY(const std::vector<Token> text_tokens,
            tokenizer_.tokenize(text, Tokenizer::Markup::kPlain));
  std::vector<TokenizedChat> chats;
  std::vector<PrefixScorer::Item> items;
  for (const Prompt& prompt : prompts) {
    INGLE_TRY(TokenizedChat chat, tokenize(prompt));
    chats.push_back(std::move(chat));
  }
  for (const TokenizedChat& chat : chats) {
    items.push_back({.prompt = chat.tokens, .text = text_tokens});
  }
  if (text_tokens.empty() || !std::ranges::all_of(items, PrefixScorer::fits)) {
    return LanguageModel::score_behind_each(call, prompts, text);
  }
  Result<std::optional<Scores>> scores = std::optional<Scores>();
  owner_.run(call,
             [&](const OwnerThread::StopCheck& stop) { scores = score_in_rows(items, stop); });
  if (!scores && scores.error().reason == "model_too_large") {
    return LanguageModel::score_behind_each(call, prompts, text);  // slower, in the one context
  }
  return finished(call, std::move(scores));
}

Result<std::optional<Scores>> LlamaModel::score_in_rows(std::span<const PrefixScorer::Item> items,
                                                        const OwnerThread::StopCheck& stop) {
  if (!scorer_) {
    INGLE_TRY(scorer_, PrefixScorer::create(parts_.model.get(), parts_.decoder_options));
  }
  return scorer_->score(items, stop);
}

Result<Scores> LlamaModel::finished(const Call& call, Result<std::optional<Scores>> scores) {
  INGLE_TRY(std::optional<Scores> result, std::move(scores));
  if (result) {
    return std::move(*result);
  }
  INGLE_RETURN_IF_ERROR(call.check());
  return Error{ErrorCode::kCancelled, "cancelled", "the model is shutting down", {}};
}

}  // namespace

std::shared_ptr<LanguageModel> make_llama_language_model(LlamaParts parts, ModelInfo info) {
  return std::make_shared<LlamaModel>(std::move(parts), std::move(info));
}

}  // namespace ingle
