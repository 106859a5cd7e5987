#include "ingle/engine.h"

namespace ingle::app {
namespace {

class NoEngine final : public Engine {
 public:
  Result<std::shared_ptr<LanguageModel>> load(
      const Call& /*call*/, const cli::ModelRequest& /*request*/,
      const std::function<void(float)>& /*loaded*/) override {
    return missing();
  }
  Result<std::unique_ptr<ModelInspector>> inspect(const Call& /*call*/,
                                                  const cli::ModelRequest& /*request*/) override {
    return missing();
  }
  Result<void> probe(const std::filesystem::path& /*path*/) override { return missing(); }
  Result<cli::EngineFacts> facts() override { return missing(); }

 private:
  static Error missing() {
    return {
        ErrorCode::kUnsupported,
        "engine_missing",
        "this build has no engine for model files (INGLE_ENGINE_LLAMA=OFF); it runs scripted:FILE "
        "alone",
        {}};
  }
};

}  // namespace

// The declaration is also that of an engine that keeps the log.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
std::unique_ptr<Engine> make_engine(std::shared_ptr<Log> /*log*/) {
  return std::make_unique<NoEngine>();
}

}  // namespace ingle::app
