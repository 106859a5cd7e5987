/// Connects the command with what is real: engine, SQLite, built-in tools, signals, clock.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ingle/cli/environment.h"
#include "ingle/engine.h"
#include "ingle/signals.h"

namespace ingle::app {

class AppEnvironment final : public cli::Environment {
 public:
  /// `command` is how the program was called; `more_tools` are there besides the built-in ones.
  AppEnvironment(std::string command, std::vector<std::shared_ptr<Tool>> more_tools);

  Result<std::shared_ptr<LanguageModel>> load_model(
      const Call& call, const cli::ModelRequest& request,
      const std::function<void(float)>& on_progress) override;
  Result<std::unique_ptr<ModelInspector>> inspect_model(const Call& call,
                                                        const cli::ModelRequest& request) override;
  Result<void> probe_model(const std::filesystem::path& path) override;
  Result<std::shared_ptr<SessionStore>> open_store(const std::filesystem::path& file) override;
  Result<std::vector<std::shared_ptr<Tool>>> tools(const std::filesystem::path& root) override;
  Result<cli::EngineFacts> engine() override;
  [[nodiscard]] std::string version() const override;
  [[nodiscard]] std::string command_name() const override;
  [[nodiscard]] std::optional<std::string> variable(const std::string& name) const override;
  [[nodiscard]] std::filesystem::path current_folder() const override;
  [[nodiscard]] CancelSource cancel_source() const override;
  [[nodiscard]] std::optional<std::string> pause_requested() const override;
  std::unique_ptr<cli::LineReader> open_lines() override;
  CancelSource begin_turn() override;
  void end_turn() override;
  [[nodiscard]] const Clock& clock() const override;

 private:
  const std::string command_;
  std::vector<std::shared_ptr<Tool>> more_tools_;
  SystemClock clock_;
  std::unique_ptr<Engine> engine_;
  Signals signals_;  ///< Last: its thread ends first.
};

}  // namespace ingle::app
