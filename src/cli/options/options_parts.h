/// Options that several commands have.
#pragma once

#include <functional>
#include <initializer_list>
#include <string_view>

#include "cli/options/options.h"

namespace CLI {
class App;
}  // namespace CLI

namespace ingle::cli {

/// The flags of these keys (config/config_keys.h), and --config.
void add_keys(CLI::App& app, Flags& flags, std::initializer_list<std::string_view> names);

/// The flags of all keys but `models`, and --config.
void add_agent(CLI::App& app, Flags& flags);

/// The commands `models`, `tools`, `tokenize` and `template`.
void add_models(CLI::App& app, ModelsArguments& arguments);
void add_tools(CLI::App& app, ToolsArguments& arguments);
void add_tokenize(CLI::App& app, TokenizeArguments& arguments);
void add_template(CLI::App& app, TemplateArguments& arguments);

/// The commands with their options, for whoever wants to describe them. They live during `look`.
void look_at_commands(const std::function<void(const CLI::App&)>& look);

/// The command `completion`.
void add_completion(CLI::App& app, CompletionArguments& arguments);

/// The command `config`.
void add_config(CLI::App& app, ConfigArguments& arguments);

/// The command `chat`.
void add_chat(CLI::App& app, ChatArguments& arguments);

}  // namespace ingle::cli
