#include "ingle/agent/agent.h"

#include <utility>

namespace ingle {
namespace {

constexpr TokenCount kDefaultMaxTokens = 1024;

}  // namespace

Result<Agent> Agent::create(AgentOptions options) {
  if (!options.model) {
    return Error{.code = ErrorCode::kInvalidArgument,
                 .reason = "model_missing",
                 .message = "an agent needs a model",
                 .details = {}};
  }
  INGLE_RETURN_IF_ERROR(check_options(options.generation));
  INGLE_RETURN_IF_ERROR(check_limits(options.limits));
  if (!options.tools.empty() && options.model->info().tool_protocol == ToolProtocol::kNone) {
    return Error{.code = ErrorCode::kUnsupported,
                 .reason = "tools_unsupported",
                 .message = "model " + options.model->info().name +
                            " takes no tools: wrap it by with_prompted_tools, or give it none",
                 .details = {}};
  }
  if (!options.generation.max_tokens) {
    options.generation.max_tokens = kDefaultMaxTokens;
  }
  if (!options.mode) {
    options.mode = react_mode();
  }
  return Agent(std::make_shared<const AgentOptions>(std::move(options)));
}

}  // namespace ingle
