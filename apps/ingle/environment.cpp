#include "ingle/environment.h"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "ingle/core/log.h"
#include "ingle/line_editor.h"
#include "ingle/line_input.h"
#include "ingle/session_sqlite/sqlite_store.h"
#include "ingle/testing/scripted_model.h"
#include "ingle/tools/calculator.h"
#include "ingle/tools/file_root.h"
#include "ingle/tools/file_tools.h"

namespace ingle::app {
namespace {

std::optional<std::string> environment_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

/// Of the levels' names; anything else, and nothing, means silence.
std::shared_ptr<Log> make_log() {
  const auto wanted = environment_variable("INGLE_LOG");
  for (const LogLevel level :
       {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarning, LogLevel::kError}) {
    if (wanted == to_string(level)) {
      return stderr_log(level);
    }
  }
  return null_log();
}

Result<std::shared_ptr<LanguageModel>> load_script(const cli::ModelRequest& request) {
  INGLE_TRY(auto model, testing::ScriptedModel::load(request.path));
  model->skip(request.skip_replies);
  return std::shared_ptr<LanguageModel>(std::move(model));
}

}  // namespace

AppEnvironment::AppEnvironment(std::string command, std::vector<std::shared_ptr<Tool>> more_tools)
    : command_(std::move(command)),
      more_tools_(std::move(more_tools)),
      engine_(make_engine(make_log())) {}

Result<std::shared_ptr<LanguageModel>> AppEnvironment::load_model(
    const Call& call, const cli::ModelRequest& request,
    const std::function<void(float)>& on_progress) {
  switch (request.kind) {
    case cli::ModelKind::kScript:
      return load_script(request);
    case cli::ModelKind::kGguf:
      return engine_->load(call, request, on_progress);
  }
  return Error{ErrorCode::kInternal, "model_kind_unknown", "unknown kind of model", {}};
}

Result<std::unique_ptr<ModelInspector>> AppEnvironment::inspect_model(
    const Call& call, const cli::ModelRequest& request) {
  if (request.kind == cli::ModelKind::kScript) {
    return Error{ErrorCode::kUnsupported,
                 "inspect_unsupported",
                 "a script has no tokens and no template; name a model or a GGUF file",
                 {}};
  }
  return engine_->inspect(call, request);
}

Result<void> AppEnvironment::probe_model(const std::filesystem::path& path) {
  return engine_->probe(path);
}

Result<std::shared_ptr<SessionStore>> AppEnvironment::open_store(
    const std::filesystem::path& file) {
  INGLE_TRY(auto store, open_sqlite_store({.path = file}));
  return std::shared_ptr<SessionStore>(std::move(store));
}

Result<std::vector<std::shared_ptr<Tool>>> AppEnvironment::tools(
    const std::filesystem::path& root) {
  INGLE_TRY(const FileRoot folder, FileRoot::open(root));
  std::vector<std::shared_ptr<Tool>> all{make_list_files(folder), make_read_file(folder),
                                         make_calculator()};
  all.insert(all.end(), more_tools_.begin(), more_tools_.end());
  return all;
}

Result<cli::EngineFacts> AppEnvironment::engine() { return engine_->facts(); }

std::string AppEnvironment::version() const { return INGLE_VERSION; }

std::string AppEnvironment::command_name() const { return command_; }

std::optional<std::string> AppEnvironment::variable(const std::string& name) const {
  return environment_variable(name);
}

std::filesystem::path AppEnvironment::current_folder() const {
  std::error_code error;
  auto folder = std::filesystem::current_path(error);
  // A folder that was deleted meanwhile: paths are then meant from the top.
  return error ? std::filesystem::path("/") : folder;
}

CancelSource AppEnvironment::cancel_source() const { return signals_.cancel_source(); }

std::optional<std::string> AppEnvironment::pause_requested() const {
  return signals_.pause_requested();
}

std::unique_ptr<cli::LineReader> AppEnvironment::open_lines() {
  if (auto editor = make_line_editor(signals_)) {
    return editor;
  }
  return std::make_unique<PipeLines>(signals_);
}

CancelSource AppEnvironment::begin_turn() { return signals_.begin_turn(); }

void AppEnvironment::end_turn() { signals_.end_turn(); }

const Clock& AppEnvironment::clock() const { return clock_; }

}  // namespace ingle::app
