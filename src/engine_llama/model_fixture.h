/// For tests: the default model, loaded once per test program.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "ingle/engine_llama/llama_model.h"

namespace ingle::testing {

/// INGLE_TEST_MODEL, or the default model in the cache.
inline std::filesystem::path test_model_path() {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const std::string path = variable("INGLE_TEST_MODEL"); !path.empty()) {
    return path;
  }
  std::filesystem::path cache = variable("INGLE_CACHE");
  if (cache.empty()) {
    const std::string xdg = variable("XDG_CACHE_HOME");
    cache = (xdg.empty() ? std::filesystem::path(variable("HOME")) / ".cache"
                         : std::filesystem::path(xdg)) /
            "ingle";
  }
  return cache / "models" / "SmolLM2-135M-Instruct-Q4_1.gguf";
}

/// llama.cpp, started at the first use.
inline const std::shared_ptr<LlamaBackend>& test_backend() {
  static std::shared_ptr<LlamaBackend> backend = [] {
    auto started = LlamaBackend::start(null_log());
    INGLE_CHECK(started.ok(), started.error().message);
    return std::move(started).value();
  }();
  return backend;
}

/// Options for the default model: one thread, since the threads of llama.cpp spin.
inline LlamaModelOptions test_model_options() {
  LlamaModelOptions options;
  options.path = test_model_path();
  options.threads = 1;
  return options;
}

/// Loads it, or aborts with what to do about it.
inline std::shared_ptr<LanguageModel> load_test_model(const LlamaModelOptions& options) {
  INGLE_CHECK(std::filesystem::exists(options.path),
              "the test model is missing: run scripts/fetch, or set INGLE_TEST_MODEL");
  auto model = load_llama_model(Call{}, test_backend(), options, null_log());
  INGLE_CHECK(model.ok(), model.error().message);
  return std::move(model).value();
}

/// The default model with a context window of 2048 tokens, shared by all tests of a program.
inline const std::shared_ptr<LanguageModel>& test_model() {
  static std::shared_ptr<LanguageModel> model = [] {
    LlamaModelOptions options = test_model_options();
    options.context_window = 2048;
    return load_test_model(options);
  }();
  return model;
}

}  // namespace ingle::testing
