#include "cli/agent_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/places.h"
#include "ingle/tool/nearest_name.h"

namespace ingle::cli {
namespace {

constexpr const char* kAgentName = "ingle";
constexpr const char* kAllTools = "all";

Error unknown_tool(const std::string& name, const std::vector<std::string>& names) {
  std::string message =
      fmt::format("there is no tool \"{}\"; there are: {}", name,
                  names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
  if (const auto nearest = nearest_name(name, names)) {
    message += fmt::format("; did you mean {}?", *nearest);
  }
  return {ErrorCode::kNotFound, "tool_unknown", std::move(message), {}};
}

/// The tools that `names` choose of `all`, each once, in the order of `names`.
Result<std::vector<std::shared_ptr<Tool>>> choose(const std::vector<std::shared_ptr<Tool>>& all,
                                                  const std::vector<std::string>& names) {
  std::vector<std::shared_ptr<Tool>> chosen;
  const auto add = [&chosen](const std::shared_ptr<Tool>& tool) {
    if (std::ranges::find(chosen, tool) == chosen.end()) {
      chosen.push_back(tool);
    }
  };
  for (const std::string& name : names) {
    if (name == kAllTools) {
      std::ranges::for_each(all, add);
      continue;
    }
    const auto found =
        std::ranges::find_if(all, [&name](const auto& tool) { return tool->spec().name == name; });
    if (found == all.end()) {
      std::vector<std::string> there;
      std::ranges::transform(all, std::back_inserter(there),
                             [](const auto& tool) { return tool->spec().name; });
      return unknown_tool(name, there);
    }
    add(*found);
  }
  return chosen;
}

}  // namespace

Result<AgentParts> prepare_agent(Environment& environment, Settings settings) {
  AgentParts parts;
  INGLE_TRY(parts.model, resolve_model(environment, settings.model));
  parts.model.threads = settings.threads;
  parts.model.context_window = settings.context_window;
  INGLE_TRY(parts.policy, Policy::create(settings.rules));
  if (!settings.tools.empty()) {
    INGLE_TRY(const auto all, environment.tools(settings.root));
    INGLE_TRY(auto chosen, choose(all, settings.tools));
    INGLE_TRY(parts.tools, ToolSet::create(std::move(chosen)));
    settings.tools = parts.tools.names();
  }
  parts.settings = std::move(settings);
  return parts;
}

Result<Agent> make_agent(const AgentParts& parts, std::shared_ptr<LanguageModel> model) {
  const Settings& settings = parts.settings;
  return Agent::create(
      {.name = kAgentName,
       .model = std::move(model),
       .instructions = settings.system,
       .tools = parts.tools,
       .policy = parts.policy,
       .generation = {.temperature = settings.temperature, .max_tokens = settings.max_tokens},
       .limits = settings.limits});
}

}  // namespace ingle::cli
