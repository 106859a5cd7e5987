/// Makes an agent of a configuration, the cheap parts first: a mistake shows before a model is
/// loaded.
#pragma once

#include <memory>

#include "cli/config/config.h"
#include "ingle/agent/agent.h"
#include "ingle/cli/environment.h"

namespace ingle::cli {

/// All of an agent but its model.
struct AgentParts {
  Config config = {};  ///< With model and root set, and the tools' names looked up.
  ModelRequest model = {};
  ToolSet tools = {};
  Policy policy = {};
  GenerationOptions generation = {};
};

/// Errors: `resolve_model`'s; not_found "tool_unknown" (lists the tools there are); those of making
/// tools and policy, and of `generation_of`.
Result<AgentParts> prepare_agent(Environment& environment, Config config);

/// Errors: `Agent::create`'s.
Result<Agent> make_agent(const AgentParts& parts, std::shared_ptr<LanguageModel> model);

}  // namespace ingle::cli
