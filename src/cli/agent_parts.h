/// Makes an agent of settings, the cheap parts first: a mistake shows before a model is loaded.
#pragma once

#include <memory>

#include "cli/settings.h"
#include "ingle/agent/agent.h"
#include "ingle/cli/environment.h"

namespace ingle::cli {

/// All of an agent but its model.
struct AgentParts {
  Settings settings = {};  ///< With the tools' names looked up.
  ModelRequest model = {};
  ToolSet tools = {};
  Policy policy = {};
};

/// Errors: `resolve_model`'s; not_found "tool_unknown" (lists the tools there are); those of making
/// tools and policy.
Result<AgentParts> prepare_agent(Environment& environment, Settings settings);

/// Errors: `Agent::create`'s.
Result<Agent> make_agent(const AgentParts& parts, std::shared_ptr<LanguageModel> model);

}  // namespace ingle::cli
