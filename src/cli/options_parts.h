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

/// The commands `models`, `tools`, `tokenize` and `template`.
void add_models(CLI::App& app, ModelsArguments& arguments);
void add_tools(CLI::App& app, ToolsArguments& arguments);
void add_tokenize(CLI::App& app, TokenizeArguments& arguments);
void add_template(CLI::App& app, TemplateArguments& arguments);

/// The command `chat`.
void add_chat(CLI::App& app, ChatArguments& arguments);

}  // namespace ingle::cli
