/// An agent: a model, what it is told, what it may do, and how it goes about it.
///
/// Start here, then agent/run.h.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "ingle/agent/mode.h"
#include "ingle/core/result.h"
#include "ingle/model/language_model.h"
#include "ingle/policy/policy.h"
#include "ingle/session/limits.h"
#include "ingle/tool/tool_set.h"

namespace ingle {

struct AgentOptions {
  // Behaviour.
  std::string name = "agent";  ///< Recorded in the sessions it makes.
  std::shared_ptr<LanguageModel> model =
      {};                         ///< Required. Shared: agents may use one model together.
  std::string instructions = {};  ///< System message; never stored in a session.
  ToolSet tools = {};
  Policy policy = {};
  std::shared_ptr<const Mode> mode = {};  ///< Null: `react_mode()`.
  GenerationOptions generation = {};      ///< For every model call; `max_tokens` unset means 1024.
  // Bounds.
  Limits limits = {};                    ///< For every run, unless the run says otherwise.
  std::size_t max_result_bytes = 16384;  ///< Longer tool results are cut, with notice.
};

/// An immutable value of code: thread-safe, cheap to copy, never serialised.
class Agent {
 public:
  /// Errors: invalid_argument "model_missing", "option_out_of_range", "limit_out_of_range";
  /// unsupported "tools_unsupported" (the model takes no tools: wrap it by `with_prompted_tools`).
  static Result<Agent> create(AgentOptions options);

  [[nodiscard]] const AgentOptions& options() const { return *options_; }

 private:
  explicit Agent(std::shared_ptr<const AgentOptions> options) : options_(std::move(options)) {}
  std::shared_ptr<const AgentOptions> options_;
};

}  // namespace ingle
