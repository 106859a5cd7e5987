/// The engine for model files: llama.cpp, or none in a build without it.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "ingle/cli/environment.h"
#include "ingle/core/log.h"

namespace ingle::app {

/// Starts when it is first used.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual Result<std::shared_ptr<LanguageModel>> load(
      const Call& call, const cli::ModelRequest& request,
      const std::function<void(float)>& on_progress) = 0;
  virtual Result<std::unique_ptr<ModelInspector>> inspect(const Call& call,
                                                          const cli::ModelRequest& request) = 0;
  virtual Result<void> probe(const std::filesystem::path& path) = 0;
  virtual Result<cli::EngineFacts> facts() = 0;
};

/// The engine of this build: engine_llama.cpp or engine_none.cpp.
[[nodiscard]] std::unique_ptr<Engine> make_engine(std::shared_ptr<Log> log);

}  // namespace ingle::app
