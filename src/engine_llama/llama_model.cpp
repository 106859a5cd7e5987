#include "ingle/engine_llama/llama_model.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine_llama/chat_template.h"
#include "engine_llama/constraint_cache.h"
#include "engine_llama/decoder.h"
#include "engine_llama/llama_handles.h"
#include "engine_llama/llama_log.h"
#include "engine_llama/load_checks.h"
#include "engine_llama/owner_thread.h"
#include "engine_llama/probe_process.h"
#include "engine_llama/reply_task.h"
#include "engine_llama/score_task.h"
#include "engine_llama/tokenizer.h"
#include "ingle/core/hash.h"
#include "ingle/core/machine.h"
#include "ingle/gguf/gguf.h"

namespace ingle {
namespace {

constexpr int kMaxDefaultThreads = 8;
constexpr std::chrono::minutes kProbeLimit{5};

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

/// What a model is made of; members that use others come after them.
struct LlamaParts {
  std::shared_ptr<LlamaBackend> backend;
  LlamaModelHandle model;
  ChatTemplate chat_template;
  std::unique_ptr<Decoder> decoder;
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
                              const GenerationOptions& options, DeltaSink& sink) override {
    INGLE_RETURN_IF_ERROR(check_options(options));
    INGLE_RETURN_IF_ERROR(check_tool_choice(options));
    if (call.should_stop()) {
      return cancelled_reply();
    }
    INGLE_TRY(const std::vector<Token> tokens, tokens_of(prompt));
    if (static_cast<TokenCount>(tokens.size()) + 1 > info_.context_window) {
      return context_exceeded(tokens.size(), info_.context_window);
    }
    ReplyTask task{.prompt = tokens,
                   .context_window = info_.context_window,
                   .options = &options,
                   .matcher = {}};
    if (options.constraint) {
      INGLE_TRY(const Constraint constraint, constraints_.get(*options.constraint));
      task.matcher = constraint.start();
    }
    Result<Completion> reply = cancelled_reply();
    owner_.run(call, [&](const OwnerThread::StopCheck& stop) {
      reply = write_reply(*parts_.decoder, tokenizer_, std::move(task), stop, sink);
    });
    return reply;
  }

  Result<TokenCount> count_tokens(const Prompt& prompt) override {
    INGLE_TRY(const std::vector<Token> tokens, tokens_of(prompt));
    return static_cast<TokenCount>(tokens.size());
  }

  Result<Scores> score(const Call& call, const Prompt& prompt,
                       std::span<const std::string> continuations) override {
    INGLE_RETURN_IF_ERROR(call.check());
    INGLE_TRY(const std::vector<Token> tokens, tokens_of(prompt));
    std::vector<std::vector<Token>> parts;
    std::size_t longest = 1;
    for (const std::string& text : continuations) {
      INGLE_TRY(std::vector<Token> part, tokenizer_.tokenize(text, Tokenizer::Markup::kPlain));
      longest = std::max(longest, part.size());
      parts.push_back(std::move(part));
    }
    if (static_cast<TokenCount>(tokens.size() + longest) > info_.context_window) {
      return context_exceeded(tokens.size() + longest - 1, info_.context_window);
    }
    Result<std::optional<Scores>> scores = std::optional<Scores>();
    owner_.run(call, [&](const OwnerThread::StopCheck& stop) {
      scores = score_continuations(*parts_.decoder, tokens, parts, stop);
    });
    INGLE_TRY(std::optional<Scores> result, std::move(scores));
    if (result) {
      return std::move(*result);
    }
    INGLE_RETURN_IF_ERROR(call.check());
    return Error{ErrorCode::kCancelled, "cancelled", "the model is shutting down", {}};
  }

 private:
  static Result<void> check_tool_choice(const GenerationOptions& options) {
    if (options.tool_choice.kind == ToolChoice::Kind::kRequired ||
        options.tool_choice.kind == ToolChoice::Kind::kNamed) {
      return Error{ErrorCode::kUnsupported,
                   "tools_unsupported",
                   "this model cannot be made to call tools; wrap it by with_prompted_tools",
                   {}};
    }
    return {};
  }

  [[nodiscard]] Result<std::vector<Token>> tokens_of(const Prompt& prompt) const {
    INGLE_TRY(const std::string text, parts_.chat_template.render(prompt));
    INGLE_TRY(std::vector<Token> tokens, tokenizer_.tokenize(text, Tokenizer::Markup::kTemplate));
    if (tokens.empty()) {
      return Error{ErrorCode::kInvalidArgument, "prompt_invalid", "the prompt is empty", {}};
    }
    return tokens;
  }

  LlamaParts parts_;
  const ModelInfo info_;
  const Tokenizer tokenizer_;
  ConstraintCache constraints_;
  OwnerThread owner_;  ///< Last: it uses all of the above.
};

/// Progress and cancelling while llama.cpp loads.
struct LoadProgress {
  const Call& call;
  const std::function<void(float)>& on_progress;

  static bool report(float fraction, void* self) {
    const auto& progress = *static_cast<const LoadProgress*>(self);
    if (progress.on_progress) {
      progress.on_progress(fraction);
    }
    return !progress.call.should_stop();
  }
};

Error load_failed(const std::string& why) {
  return {ErrorCode::kInternal, "model_load_failed", "the model could not be loaded" + why, {}};
}

Result<LlamaModelHandle> load_weights(const Call& call, const LlamaModelOptions& options) {
  LoadProgress progress{call, options.on_progress};
  llama_model_params params = llama_model_default_params();
  params.progress_callback = LoadProgress::report;
  params.progress_callback_user_data = &progress;
  const LlamaErrorLines lines;
  std::string thrown;
  LlamaModelHandle model;
  try {
    model.reset(llama_model_load_from_file(options.path.c_str(), params));
  } catch (const std::exception& exception) {
    thrown = std::string(": ") + exception.what();
  }
  if (model) {
    return model;
  }
  INGLE_RETURN_IF_ERROR(call.check());
  if (lines.text().find("unknown model architecture") != std::string::npos) {
    return Error{ErrorCode::kUnsupported,
                 "architecture_unsupported",
                 "this release of llama.cpp does not know the kind of model" + lines.quoted(),
                 {}};
  }
  return load_failed(thrown + lines.quoted());
}

Result<void> check_loaded(const llama_model* model) {
  if (llama_model_has_encoder(model) || !llama_model_has_decoder(model) ||
      llama_model_is_diffusion(model)) {
    return Error{ErrorCode::kUnsupported,
                 "architecture_unsupported",
                 "this kind of model does not write from left to right; choose a chat model",
                 {}};
  }
  if (llama_vocab_n_tokens(llama_model_get_vocab(model)) <= 0) {
    return load_failed("; it has no vocabulary");
  }
  return {};
}

Result<ChatTemplate> load_template(const llama_model* model, Log& log) {
  const llama_vocab* const vocabulary = llama_model_get_vocab(model);
  const Tokenizer tokenizer(vocabulary);
  const char* const source = llama_model_chat_template(model, nullptr);
  if (source == nullptr) {
    log.write(LogLevel::kWarning, "engine_llama",
              "the model has no chat template; it is shown plain text, one message a line");
  }
  auto chat_template =
      ChatTemplate::create({.source = source == nullptr ? "" : source,
                            .bos = tokenizer.markup_of(llama_vocab_bos(vocabulary)),
                            .eos = tokenizer.markup_of(llama_vocab_eos(vocabulary)),
                            .tokenizer_adds_bos = llama_vocab_get_add_bos(vocabulary)});
  return chat_template.ok() ? std::move(chat_template)
                            : load_failed(": " + chat_template.error().message);
}

/// The file's digest where somebody asks for it, else empty; a file not trusted is probed first.
Result<std::string> identify(const Call& call, const LlamaModelOptions& options) {
  if (options.trusted_sha256.empty() && options.probe_command.empty()) {
    return std::string();
  }
  INGLE_TRY(std::string digest, sha256_file(call, options.path));
  const bool is_trusted = std::find(options.trusted_sha256.begin(), options.trusted_sha256.end(),
                                    digest) != options.trusted_sha256.end();
  if (!is_trusted && !options.probe_command.empty()) {
    INGLE_RETURN_IF_ERROR(run_probe(call, options.probe_command, options.path, kProbeLimit));
  }
  return digest;
}

std::int32_t thread_count(const LlamaModelOptions& options) {
  return options.threads > 0 ? options.threads : std::min(usable_cores(), kMaxDefaultThreads);
}

ModelInfo describe_model(const LlamaModelOptions& options, const llama_model* model,
                         std::int32_t context_window, const std::string& digest) {
  ModelInfo info;
  info.name = options.name.empty() ? options.path.stem().string() : options.name;
  info.engine = "llama";
  info.fingerprint = digest.empty() ? "" : "sha256:" + digest;
  info.context_window = context_window;
  info.parameters = static_cast<std::int64_t>(llama_model_n_params(model));
  info.tool_protocol = ToolProtocol::kNone;
  info.constraints = {ConstraintKind::kJsonSchema, ConstraintKind::kRegex, ConstraintKind::kLark};
  info.can_score = true;
  return info;
}

}  // namespace

Result<std::shared_ptr<LanguageModel>> load_llama_model(const Call& call,
                                                        std::shared_ptr<LlamaBackend> backend,
                                                        const LlamaModelOptions& options,
                                                        std::shared_ptr<Log> log) {
  INGLE_RETURN_IF_ERROR(call.check());
  INGLE_RETURN_IF_ERROR(check_load_options(options));
  INGLE_TRY(const GgufHeader header, read_gguf_header(options.path));
  INGLE_RETURN_IF_ERROR(check_architecture(header));
  INGLE_TRY(const std::int32_t window,
            choose_context_window(options.context_window, header.context_length));
  INGLE_RETURN_IF_ERROR(check_memory(estimate_memory(header, window), available_memory_bytes()));
  INGLE_TRY(const std::string digest, identify(call, options));
  INGLE_TRY(LlamaModelHandle model, load_weights(call, options));
  INGLE_RETURN_IF_ERROR(check_loaded(model.get()));
  INGLE_TRY(ChatTemplate chat_template, load_template(model.get(), *log));
  INGLE_TRY(std::unique_ptr<Decoder> decoder,
            Decoder::create(model.get(), {.context_window = window,
                                          .batch_size = options.batch_size,
                                          .threads = thread_count(options)}));
  ModelInfo info = describe_model(options, model.get(), window, digest);
  return std::shared_ptr<LanguageModel>(
      std::make_shared<LlamaModel>(LlamaParts{.backend = std::move(backend),
                                              .model = std::move(model),
                                              .chat_template = std::move(chat_template),
                                              .decoder = std::move(decoder)},
                                   std::move(info)));
}

Result<void> probe_llama_model(const LlamaModelOptions& options, std::shared_ptr<Log> log) {
  INGLE_TRY(std::shared_ptr<LlamaBackend> backend, LlamaBackend::start(log));
  LlamaModelOptions plain = options;
  plain.trusted_sha256.clear();
  plain.probe_command.clear();
  INGLE_TRY(const std::shared_ptr<LanguageModel> model,
            load_llama_model(Call{}, std::move(backend), plain, std::move(log)));
  NullDeltaSink sink;
  auto reply = model->generate(Call{}, Prompt{.messages = {Message::user("Hello")}, .tools = {}},
                               {.max_tokens = 1}, sink);
  return reply.ok() ? Result<void>() : Result<void>(reply.error());
}

}  // namespace ingle
