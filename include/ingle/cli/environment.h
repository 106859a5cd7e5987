/// What the command needs from outside: engines, stores, tools, signals. The real one is in
/// apps/ingle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ingle/cli/line_reader.h"
#include "ingle/core/call.h"
#include "ingle/core/clock.h"
#include "ingle/core/result.h"
#include "ingle/model/language_model.h"
#include "ingle/model/model_inspector.h"
#include "ingle/session/session_store.h"
#include "ingle/tool/tool.h"

namespace ingle::cli {

enum class ModelKind : std::uint8_t {
  kGguf,    ///< `ModelRequest::path` is a model file.
  kScript,  ///< `ModelRequest::path` is a script of replies.
};

struct ModelRequest {
  ModelKind kind = ModelKind::kGguf;
  std::filesystem::path path = {};
  std::string name = {};         ///< For people and logs.
  std::size_t skip_replies = 0;  ///< kScript: replies that the session has had already.
  // Load options; what is not set is the engine's choice.
  std::optional<std::int32_t> context_window = {};  ///< Tokens.
  std::filesystem::path chat_template =
      {};  ///< A Jinja file in place of the model's own; or empty.
  std::optional<std::int32_t> threads = {};
  std::optional<std::int32_t> batch_threads = {};
  std::optional<std::int32_t> batch_size = {};  ///< Tokens.
  std::string kv_cache_type = {};               ///< "f16", "q8", "q4", or empty.
  std::optional<bool> flash_attention = {};
  std::optional<std::int32_t> gpu_layers = {};  ///< -1 all, 0 none.
};

/// The engine for model files, for `ingle doctor` and `ingle version`.
struct EngineFacts {
  std::string name = {};
  std::string version = {};
  std::string system_info = {};           ///< CPU features that it uses.
  std::vector<std::string> devices = {};  ///< "CPU: <chip>".
};

/// Used from one thread, but for the functions that are said to be thread-safe.
class Environment {
 public:
  virtual ~Environment() = default;

  /// A model that is ready, and takes tools. `on_progress` is told the fraction that is loaded.
  /// Errors: the engine's and `ScriptedModel::load`'s; unsupported "engine_missing".
  virtual Result<std::shared_ptr<LanguageModel>> load_model(
      const Call& call, const ModelRequest& request,
      const std::function<void(float)>& on_progress) = 0;

  /// Opens a model to look into it. Errors: the engine's; unsupported "inspect_unsupported" (a
  /// script), "engine_missing".
  virtual Result<std::unique_ptr<ModelInspector>> inspect_model(const Call& call,
                                                                const ModelRequest& request) = 0;

  /// Loads a model file and frees it again: what the child process does that tries an unknown file.
  virtual Result<void> probe_model(const std::filesystem::path& path) = 0;

  /// Errors: the store's.
  virtual Result<std::shared_ptr<SessionStore>> open_store(const std::filesystem::path& file) = 0;

  /// All tools there are; those for files see only `root`. Errors: those of making them.
  virtual Result<std::vector<std::shared_ptr<Tool>>> tools(const std::filesystem::path& root) = 0;

  /// Errors: unsupported "engine_missing", and those of starting it.
  virtual Result<EngineFacts> engine() = 0;

  [[nodiscard]] virtual std::string version() const = 0;  ///< Of Ingle.

  /// How the command was called, to be shown in command lines that go on.
  [[nodiscard]] virtual std::string command_name() const = 0;

  /// An environment variable; nothing when it is unset or empty.
  [[nodiscard]] virtual std::optional<std::string> variable(const std::string& name) const = 0;

  /// Absolute: what paths in flags and variables are meant from.
  [[nodiscard]] virtual std::filesystem::path current_folder() const = 0;

  /// Cancelled when a person presses Ctrl-C. Thread-safe.
  [[nodiscard]] virtual CancelSource cancel_source() const = 0;

  /// Why the run should pause, if somebody asked (SIGTERM). Thread-safe.
  [[nodiscard]] virtual std::optional<std::string> pause_requested() const = 0;

  /// What a chat reads: the terminal's lines where standard input is one, else those of the pipe.
  virtual std::unique_ptr<LineReader> open_lines() = 0;

  /// A chat's turn begins. Until `end_turn`, Ctrl-C cancels this source and is acknowledged on a
  /// line of its own, and a second one ends the process; outside of turns it ends the read of a
  /// line
  /// (`LineEnd::kInterrupt`).
  virtual CancelSource begin_turn() = 0;
  virtual void end_turn() = 0;

  [[nodiscard]] virtual const Clock& clock() const = 0;
};

}  // namespace ingle::cli
