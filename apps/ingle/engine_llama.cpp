#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>

#include "ingle/engine.h"
#include "ingle/engine_llama/llama_backend.h"
#include "ingle/engine_llama/llama_inspector.h"
#include "ingle/engine_llama/llama_model.h"
#include "ingle/model/prompted_tools.h"

namespace ingle::app {
namespace {

/// SmolLM2-135M-Instruct-Q4_1, the file that scripts/fetch brings: it need not be tried in a child
/// first.
constexpr const char* kDefaultModelDigest =
    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53";

constexpr std::uintmax_t kMaxTemplateBytes = std::uintmax_t{1} << 20U;

Result<std::string> read_template(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) {
    return Error{ErrorCode::kNotFound, "chat_template_missing",
                 "the chat template " + file.string() + " cannot be read", Json{}};
  }
  if (bytes > kMaxTemplateBytes) {
    return Error{ErrorCode::kInvalidArgument, "chat_template_invalid",
                 "the chat template " + file.string() + " has more than 1 MiB", Json{}};
  }
  std::ostringstream text;
  text << stream.rdbuf();
  return std::move(text).str();
}

KvCacheType kv_cache_type(const std::string& name) {
  return name == "q8" ? KvCacheType::kQ8 : name == "q4" ? KvCacheType::kQ4 : KvCacheType::kF16;
}

Result<LlamaModelOptions> load_options(const cli::ModelRequest& request) {
  LlamaModelOptions options;
  options.path = request.path;
  options.name = request.name;
  options.context_window = request.context_window.value_or(options.context_window);
  if (!request.chat_template.empty()) {
    INGLE_TRY(options.chat_template, read_template(request.chat_template));
  }
  options.threads = request.threads.value_or(options.threads);
  options.batch_threads = request.batch_threads.value_or(options.batch_threads);
  options.batch_size = request.batch_size.value_or(options.batch_size);
  options.kv_cache_type = kv_cache_type(request.kv_cache_type);
  options.flash_attention = request.flash_attention;
  options.gpu_layers = request.gpu_layers.value_or(options.gpu_layers);
  return options;
}

class LlamaEngine final : public Engine {
 public:
  explicit LlamaEngine(std::shared_ptr<Log> log) : log_(std::move(log)) {}

  Result<std::shared_ptr<LanguageModel>> load(
      const Call& call, const cli::ModelRequest& request,
      const std::function<void(float)>& on_progress) override {
    INGLE_RETURN_IF_ERROR(start());
    INGLE_TRY(LlamaModelOptions options, load_options(request));
    options.on_progress = on_progress;
    options.trusted_sha256 = {kDefaultModelDigest};
    options.probe_command = {"/proc/self/exe", "probe-model"};
    INGLE_TRY(auto model, load_llama_model(call, backend_, options, log_));
    if (model->info().tool_protocol == ToolProtocol::kNone) {
      return with_prompted_tools(std::move(model));
    }
    return model;
  }

  Result<std::unique_ptr<ModelInspector>> inspect(const Call& /*call*/,
                                                  const cli::ModelRequest& request) override {
    INGLE_RETURN_IF_ERROR(start());
    INGLE_TRY(const LlamaModelOptions options, load_options(request));
    INGLE_TRY(auto inspector, open_llama_inspector(backend_, options.path, options.chat_template));
    if (inspector->info().tool_protocol == ToolProtocol::kNone) {
      return with_prompted_tools(std::move(inspector));
    }
    return inspector;
  }

  Result<void> probe(const std::filesystem::path& path) override {
    LlamaModelOptions options;
    options.path = path;
    return probe_llama_model(options, log_);
  }

  Result<cli::EngineFacts> facts() override {
    INGLE_RETURN_IF_ERROR(start());
    cli::EngineFacts facts{.name = "llama.cpp",
                           .version = backend_->version(),
                           .system_info = backend_->system_info()};
    for (const LlamaDevice& device : backend_->devices()) {
      facts.devices.push_back(device.name + ": " + device.description);
    }
    return facts;
  }

 private:
  Result<void> start() {
    if (!backend_) {
      INGLE_TRY(backend_, LlamaBackend::start(log_));
    }
    return {};
  }

  std::shared_ptr<Log> log_;
  std::shared_ptr<LlamaBackend> backend_;
};

}  // namespace

std::unique_ptr<Engine> make_engine(std::shared_ptr<Log> log) {
  return std::make_unique<LlamaEngine>(std::move(log));
}

}  // namespace ingle::app
