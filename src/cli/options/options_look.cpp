#include <CLI/CLI.hpp>

#include "cli/options/options_parts.h"

namespace ingle::cli {
namespace {

constexpr const char* kModelsFooter = R"(Examples:
  ingle models
  ingle models add ~/Downloads/Qwen2.5-3B-Q4_K_M.gguf
  ingle run --model Qwen2.5-3B-Q4_K_M "Hello"
  ingle models rm Qwen2.5-3B-Q4_K_M

Models are GGUF files in one folder: ingle config models tells which. A file is added by a
hard link where that is possible, else copied.)";

constexpr const char* kTokenizeFooter = R"(Examples:
  ingle tokenize "3.14 is pi"
  ingle tokenize --prompt "<|im_start|>user" --json | jq length

Without --prompt the text is somebody's words, as the engine treats them: nothing in it is a
marker.)";

constexpr const char* kTemplateFooter = R"(Examples:
  ingle template "What is in plan.txt?"
  ingle template --tools read_file,calculator "What is in plan.txt?"

Shows what the model is given for the first reply, to the byte. A model whose template knows no
tools is asked in several steps: each is shown.)";

}  // namespace

void add_models(CLI::App& app, ModelsArguments& arguments) {
  using Action = ModelsArguments::Action;
  CLI::App* models = app.add_subcommand("models", "The models on this machine");
  models->footer(kModelsFooter);
  models->require_subcommand(0, 1);
  models->add_flag("--json", arguments.json, "As JSON");
  add_keys(*models, arguments.flags, {"models"});
  const auto add = [&](const char* name, const char* description, Action action) {
    CLI::App* command = models->add_subcommand(name, description);
    command->callback([&arguments, action] { arguments.action = action; });
    return command;
  };
  add("list", "All of them (the default)", Action::kList)
      ->add_flag("--json", arguments.json, "As JSON");
  CLI::App* show = add("show", "What the file says about itself", Action::kShow);
  show->add_option("NAME", arguments.name, "The model's name")->required();
  show->add_flag("--json", arguments.json, "As JSON");
  add("path", "Where the file is", Action::kPath)
      ->add_option("NAME", arguments.name, "The model's name")
      ->required();
  CLI::App* more = add("add", "Add a GGUF file", Action::kAdd);
  more->add_option("FILE", arguments.file, "The file")->required();
  more->add_option("--name", arguments.name, "Its name here (default: the file's)")
      ->type_name("NAME");
  more->add_flag("--force", arguments.force, "Replace a model of that name");
  CLI::App* remove = add("rm", "Delete a model's file", Action::kRemove);
  remove->add_option("NAME", arguments.name, "The model's name")->required();
  remove->add_flag("--yes", arguments.yes, "Do not ask");
}

void add_tools(CLI::App& app, ToolsArguments& arguments) {
  CLI::App* tools = app.add_subcommand("tools", "The tools an agent can have");
  add_keys(*tools, arguments.flags, {"root"});
  tools->add_flag("--json", arguments.json, "As JSON, with their schemas");
}

void add_tokenize(CLI::App& app, TokenizeArguments& arguments) {
  CLI::App* tokenize = app.add_subcommand("tokenize", "How a model cuts a text into tokens");
  tokenize->footer(kTokenizeFooter);
  tokenize->add_option("TEXT", arguments.text,
                       "The text; \"-\", or nothing with a pipe: read from standard input");
  add_keys(*tokenize, arguments.flags, {"model", "models"});
  tokenize->add_flag("--prompt", arguments.is_prompt, "The text is a rendered prompt");
  tokenize->add_flag("--json", arguments.json, "As JSON");
}

void add_template(CLI::App& app, TemplateArguments& arguments) {
  CLI::App* shown = app.add_subcommand("template", "What the model is shown for a question");
  shown->footer(kTemplateFooter);
  shown->add_option("PROMPT", arguments.prompt,
                    "The question; \"-\", or nothing with a pipe: read from standard input");
  add_keys(
      *shown, arguments.flags,
      {"model", "models", "system", "tools", "root", "sampling.thinking", "engine.chat_template"});
  shown->add_flag("--json", arguments.json, "As JSON");
}

}  // namespace ingle::cli
