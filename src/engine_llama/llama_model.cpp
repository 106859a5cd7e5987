#include "ingle/engine_llama/llama_model.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "engine_llama/llama_log.h"
#include "engine_llama/llama_parts.h"
#include "engine_llama/load_checks.h"
#include "engine_llama/probe_process.h"
#include "engine_llama/tokenizer.h"
#include "ingle/core/hash.h"
#include "ingle/core/machine.h"
#include "ingle/gguf/gguf.h"

namespace ingle {
namespace {

constexpr int kMaxDefaultThreads = 8;
constexpr std::chrono::minutes kProbeLimit{5};

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
  params.n_gpu_layers = options.gpu_layers;
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

Result<ChatTemplate> load_template(const llama_model* model, const std::string& source, Log& log) {
  if (source.empty() && llama_model_chat_template(model, nullptr) == nullptr) {
    log.write(LogLevel::kWarning, "engine_llama",
              "the model has no chat template; it is shown plain text, one message a line");
  }
  auto chat_template = make_chat_template(model, source);
  if (!chat_template && !source.empty()) {
    return chat_template;
  }
  return chat_template.ok()
             ? std::move(chat_template)
             : load_failed(": " + chat_template.error().message).because(chat_template.error());
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

std::vector<GenerationOption> honoured_options(const ChatTemplate& chat_template) {
  std::vector<GenerationOption> options;
  for (const GenerationOption option : all_generation_options()) {
    const bool is_of_thoughts =
        option == GenerationOption::kThinking || option == GenerationOption::kReasoningBudget;
    const bool is_of_calls = option == GenerationOption::kParallelToolCalls;
    if ((!is_of_thoughts || chat_template.can_think()) &&
        (!is_of_calls || chat_template.has_native_tools())) {
      options.push_back(option);
    }
  }
  return options;
}

ModelInfo describe_model(const LlamaModelOptions& options, const llama_model* model,
                         const ChatTemplate& chat_template, std::int32_t context_window,
                         const std::string& digest) {
  ModelInfo info;
  info.name = options.name.empty() ? options.path.stem().string() : options.name;
  info.engine = "llama";
  info.fingerprint = digest.empty() ? "" : "sha256:" + digest;
  info.context_window = context_window;
  info.parameters = static_cast<std::int64_t>(llama_model_n_params(model));
  info.tool_protocol =
      chat_template.has_native_tools() ? ToolProtocol::kNative : ToolProtocol::kNone;
  info.constraints = {ConstraintKind::kJsonSchema, ConstraintKind::kRegex, ConstraintKind::kLark};
  info.can_score = true;
  info.options = honoured_options(chat_template);
  return info;
}

DecoderOptions decoder_options(const LlamaModelOptions& options, std::int32_t window) {
  const std::int32_t threads =
      options.threads > 0 ? options.threads : std::min(usable_cores(), kMaxDefaultThreads);
  return {.context_window = window,
          .batch_size = options.batch_size,
          .threads = threads,
          .batch_threads = options.batch_threads > 0 ? options.batch_threads : threads,
          .cache_type = options.kv_cache_type,
          .flash_attention = options.flash_attention};
}

}  // namespace

Result<ChatTemplate> make_chat_template(const llama_model* model, const std::string& source) {
  const llama_vocab* const vocabulary = llama_model_get_vocab(model);
  const Tokenizer tokenizer(vocabulary);
  const char* const own = llama_model_chat_template(model, nullptr);
  const std::string text = !source.empty() || own == nullptr ? source : own;
  return ChatTemplate::create({.source = text,
                               .bos = tokenizer.markup_of(llama_vocab_bos(vocabulary)),
                               .eos = tokenizer.markup_of(llama_vocab_eos(vocabulary)),
                               .tokenizer_adds_bos = llama_vocab_get_add_bos(vocabulary),
                               .markers = MarkerSet(tokenizer.markers(text))});
}

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
  INGLE_TRY(ChatTemplate chat_template, load_template(model.get(), options.chat_template, *log));
  const DecoderOptions settings = decoder_options(options, window);
  INGLE_TRY(std::unique_ptr<Decoder> decoder, Decoder::create(model.get(), settings));
  ModelInfo info = describe_model(options, model.get(), chat_template, window, digest);
  return make_llama_language_model({.backend = std::move(backend),
                                    .model = std::move(model),
                                    .chat_template = std::move(chat_template),
                                    .decoder_options = settings,
                                    .decoder = std::move(decoder)},
                                   std::move(info));
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
