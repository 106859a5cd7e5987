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

void add_load_options(ModelRequest& request, const Config& config) {
  const auto number = [](const std::optional<std::int64_t>& value) {
    return value ? std::optional<std::int32_t>(static_cast<std::int32_t>(*value)) : std::nullopt;
  };
  request.context_window = number(config.context);
  request.chat_template = config.chat_template.value_or("");
  request.threads = number(config.threads);
  request.batch_threads = number(config.batch_threads);
  request.batch_size = number(config.batch_size);
  request.kv_cache_type = config.kv_type.value_or("");
  request.flash_attention = config.flash_attention;
  request.gpu_layers = number(config.gpu_layers);
}

}  // namespace

Result<AgentParts> prepare_agent(Environment& environment, Config config) {
  config.model = chosen_model(config);
  config.root = config.root.value_or(environment.current_folder().string());
  AgentParts parts;
  INGLE_TRY(parts.model, resolve_model(environment, config, *config.model));
  add_load_options(parts.model, config);
  INGLE_TRY(parts.policy, Policy::create(rules_of(config)));
  INGLE_TRY(parts.generation, generation_of(config));
  if (config.tools && !config.tools->empty()) {
    INGLE_TRY(const auto all, environment.tools(*config.root));
    INGLE_TRY(auto chosen, choose(all, *config.tools));
    INGLE_TRY(parts.tools, ToolSet::create(std::move(chosen)));
    config.tools = parts.tools.names();
  }
  parts.config = std::move(config);
  return parts;
}

Result<Agent> make_agent(const AgentParts& parts, std::shared_ptr<LanguageModel> model) {
  return Agent::create({.name = kAgentName,
                        .model = std::move(model),
                        .instructions = parts.config.system.value_or(""),
                        .tools = parts.tools,
                        .policy = parts.policy,
                        .generation = parts.generation,
                        .limits = limits_of(parts.config)});
}

}  // namespace ingle::cli
