/// Tools: what an agent can do besides talking. Interfaces only; built-in ones are in ingle/tools.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <variant>

#include "ingle/core/call.h"
#include "ingle/core/ids.h"
#include "ingle/core/json.h"
#include "ingle/model/generation.h"

namespace ingle {

/// What the gate and recovery must know of a tool. The careful answer is the default.
struct ToolTraits {
  bool is_read_only = false;   ///< Changes nothing anywhere: allowed unless a rule says otherwise.
  bool is_idempotent = false;  ///< Running it twice is as good as once: run again after a crash.
  bool operator==(const ToolTraits&) const = default;
};

/// What a running tool may look at. Valid during the call.
struct ToolContext {
  const SessionId& session;
  const CallId& call_id;
  const Json& shared;  ///< The session's shared state as it was when the batch began.
};

/// The tool did its work. Bytes that are not UTF-8 become U+FFFD, numbers that are not finite null.
/// A `value` or `state_change` that the log cannot hold (nested deeper than 510 levels, beyond
/// kMaxEventBytes, or no JSON) makes the call's result an error that says so.
struct ToolValue {
  std::string text = {};   ///< For the model; UTF-8; cut by the kernel when too long.
  Json value = {};         ///< For programs, or null.
  Json state_change = {};  ///< JSON merge patch of the session's shared state, or null.
};

/// It could not. `text` is a sentence for the model that says how to do better; no secrets or host
/// paths.
struct ToolFailure {
  std::string text = {};
};

using ToolOutcome = std::variant<ToolValue, ToolFailure>;

/// Thread-safe: one object may serve many runs at once.
class Tool {
 public:
  virtual ~Tool() = default;

  /// The same at every call.
  [[nodiscard]] virtual const ToolSpec& spec() const = 0;
  [[nodiscard]] virtual ToolTraits traits() const = 0;

  /// `arguments` satisfy the schema of `spec().parameters`. Obeys `call`. May throw: the kernel
  /// makes a ToolFailure of it.
  virtual ToolOutcome run(const Call& call, const ToolContext& context, const Json& arguments) = 0;
};

using ToolFunction =
    std::function<ToolOutcome(const Call&, const ToolContext&, const Json& arguments)>;

/// A tool made of a function, which must be thread-safe.
[[nodiscard]] std::shared_ptr<Tool> make_tool(ToolSpec spec, ToolTraits traits,
                                              ToolFunction function);

/// Identity of a tool: sha256 over its spec and traits. A pending call of a tool that changed is
/// not run.
[[nodiscard]] std::string fingerprint(const Tool& tool);

}  // namespace ingle
