/// The six stages of a step, ready to be composed. Each does nothing unless the state calls for it.
#pragma once

#include "ingle/agent/stage.h"

namespace ingle {

/// 1. Calls the model when it owes a reply (`needs_reply`).
[[nodiscard]] std::shared_ptr<const Stage> call_model_stage();

/// 2. Ends as paused when a pause was asked for. What the model asked for stays pending.
[[nodiscard]] std::shared_ptr<const Stage> check_pause_stage();

/// 3. Puts every new call before the gate; ends as interrupted while a person has to decide.
[[nodiscard]] std::shared_ptr<const Stage> check_interrupts_stage();

/// 4. Runs the calls that are allowed, in the model's order.
[[nodiscard]] std::shared_ptr<const Stage> execute_tools_stage();

/// 5. Applies the state changes that finished calls asked for, in the model's order.
[[nodiscard]] std::shared_ptr<const Stage> propagate_state_stage();

/// 6. Ends with the result of the tool that the run was to go on until.
[[nodiscard]] std::shared_ptr<const Stage> check_until_tool_stage();

/// All six, in this order.
[[nodiscard]] Pipeline default_pipeline();

/// What a mode does behind its pipeline: ends as completed when the model owes no reply and no call
/// is pending - or as failed "until_tool_not_called", if the run was to go on until a tool was
/// called.
[[nodiscard]] StageResult end_if_answered(const SessionState& state);

}  // namespace ingle
