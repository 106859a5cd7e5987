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

class LlamaEngine final : public Engine {
 public:
  explicit LlamaEngine(std::shared_ptr<Log> log) : log_(std::move(log)) {}

  Result<std::shared_ptr<LanguageModel>> load(
      const Call& call, const cli::ModelRequest& request,
      const std::function<void(float)>& on_progress) override {
    INGLE_RETURN_IF_ERROR(start());
    LlamaModelOptions options;
    options.path = request.path;
    options.name = request.name;
    options.context_window = request.context_window;
    options.threads = request.threads;
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
    INGLE_TRY(auto inspector, open_llama_inspector(backend_, request.path));
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
