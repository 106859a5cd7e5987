/// The seven ways in which a run ends. Values, all JSON.
///
/// An outcome is an ordinary end, an `Error` is a call that could not do its job: `Failed` carries
/// one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ingle/core/call.h"
#include "ingle/core/error.h"
#include "ingle/core/ids.h"
#include "ingle/core/json.h"
#include "ingle/model/generation.h"
#include "ingle/session/limits.h"

namespace ingle {

/// The model gave its answer.
struct Completed {
  std::string text = {};                             ///< The last reply's text.
  FinishReason finish_reason = FinishReason::kStop;  ///< kLength: the answer was cut.
  bool operator==(const Completed&) const = default;
};

/// The tool that the run was to go on until has been called.
struct ToolResultOutcome {
  CallId call_id = {};
  std::string tool = {};
  Json arguments = {};
  std::string text = {};  ///< What the model would be shown.
  Json value = {};        ///< The tool's native value, or null.
  bool is_error = false;  ///< Never with `UntilTool::require_success`.
  bool operator==(const ToolResultOutcome&) const = default;
};

/// A person must decide something. The run goes on with `resume` and the answers.
struct Interrupted {
  std::vector<InterruptId> interrupts = {};  ///< All that are open, oldest first.
  bool operator==(const Interrupted&) const = default;
};

/// Stopped at a safe point because it was asked to. The run goes on with `resume`.
struct Paused {
  std::string reason = {};  ///< Why, as the one who asked put it; may be empty.
  bool operator==(const Paused&) const = default;
};

/// A limit was reached.
struct Stopped {
  LimitKind limit = LimitKind::kModelCalls;
  std::int64_t used = 0;  ///< In the limit's unit; wall time in milliseconds.
  std::int64_t allowed = 0;
  bool operator==(const Stopped&) const = default;
};

/// Someone stopped it.
struct Cancelled {
  CancelReason reason = CancelReason::kUser;
  std::string text = {};  ///< What the model had written of its reply, maybe nothing.
  bool operator==(const Cancelled&) const = default;
};

/// It could not go on.
struct Failed {
  Error error = {};
  bool operator==(const Failed&) const = default;
};

using Outcome =
    std::variant<Completed, ToolResultOutcome, Interrupted, Paused, Stopped, Cancelled, Failed>;

/// "completed", "tool_result", "interrupted", "paused", "stopped", "cancelled" or "failed".
[[nodiscard]] std::string_view outcome_name(const Outcome& outcome);

/// The run can go on with `resume`: interrupted or paused.
[[nodiscard]] bool is_resumable(const Outcome& outcome);

/// {"outcome": name, ...}; docs/formats/events.md, "Outcomes".
[[nodiscard]] Json to_json(const Outcome& outcome);
/// Errors: data_loss "event_invalid", naming the member.
Result<Outcome> outcome_from_json(const Json& value);

}  // namespace ingle
