/// Options that several commands have.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace ingle::cli {

/// --data.
void add_data(CLI::App& app, std::optional<std::string>& data);

/// What describes an agent.
void add_agent(CLI::App& app, AgentFlags& flags);

/// The command `chat`.
void add_chat(CLI::App& app, ChatArguments& arguments);

}  // namespace ingle::cli
