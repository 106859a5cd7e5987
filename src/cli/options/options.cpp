#include "cli/options/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "cli/config/config_keys.h"
#include "cli/options/help_text.h"
#include "cli/options/options_parts.h"

namespace ingle::cli {
namespace {

// Everything is optional or has its default already, so that CLI11 has nothing to fill in.
struct Parsed {
  RunArguments run;
  ResumeArguments resume;
  ChatArguments chat;
  ModelsArguments models;
  ToolsArguments tools;
  TokenizeArguments tokenize;
  TemplateArguments shown;
  ConfigArguments config;
  CompletionArguments completion;
  DoctorArguments doctor;
  VersionArguments version;
  ProbeArguments probe;
  bool is_version_flag = false;
  bool is_verbose = false;
};

void add_output(CLI::App& app, OutputFlags& output) {
  app.add_flag("--json", output.json, "One JSON object per line: events, then the outcome")
      ->group("Output");
  app.add_flag("--quiet", output.quiet, "No notes on what is being done")->group("Output");
}

/// Where a flag stands in --help.
std::string group_of(const ConfigKey& key) {
  const std::string_view table = key.table();
  if (table == "rules" || key.name == "tools" || key.name == "root") {
    return "Tools";
  }
  std::string group(table);
  if (!group.empty()) {
    group.front() = static_cast<char>(group.front() - 'a' + 'A');
  }
  return group.empty() ? "Options" : group;
}

void set_flag(Config& config, const ConfigKey& key, std::span<const std::string> texts) {
  if (auto set = set_text(config, key, texts); !set) {
    throw CLI::ValidationError(std::string(key.flag), set.error().message);
  }
}

void add_key(CLI::App& app, const ConfigKey& key, Config& config) {
  const std::string about =
      std::string(key.about) + " (default: " + std::string(key.fallback) + ")";
  const bool is_list =
      std::holds_alternative<std::optional<std::vector<std::string>> Config::*>(key.member);
  CLI::Option* option = nullptr;
  if (is_list) {
    option = app.add_option_function<std::vector<std::string>>(
        std::string(key.flag),
        [&config, &key](const std::vector<std::string>& texts) { set_flag(config, key, texts); },
        about);
    option->allow_extra_args(false);
  } else {
    option = app.add_option_function<std::string>(
        std::string(key.flag),
        [&config, &key](const std::string& text) { set_flag(config, key, std::span(&text, 1)); },
        about);
  }
  option->type_name(std::string(key.type_name))->group(group_of(key));
}

void add_config_file(CLI::App& app, Flags& flags) {
  app.add_option("--config", flags.file,
                 "Read this file of values in place of those that are looked for, or none")
      ->type_name("FILE");
}

}  // namespace

void add_keys(CLI::App& app, Flags& flags, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    add_key(app, *find_config_key(name), flags.values);
  }
  add_config_file(app, flags);
}

void add_agent(CLI::App& app, Flags& flags) {
  for (const ConfigKey& key : config_keys()) {
    add_key(app, key, flags.values);
  }
  add_config_file(app, flags);
}

namespace {

void add_run(CLI::App& app, RunArguments& arguments) {
  CLI::App* run = app.add_subcommand("run", "Ask an agent something");
  run->footer(kRunFooter);
  run->add_option("PROMPT", arguments.prompt,
                  "The question; \"-\", or nothing with a pipe: read from standard input");
  add_agent(*run, arguments.flags);
  run->add_option("--until-tool", arguments.until_tools,
                  "Go on until one of these tools was called; its result is the answer")
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group("Tools");
  run->add_option("--session", arguments.session, "Continue this session, or begin it")
      ->type_name("ID");
  add_output(*run, arguments.output);
}

void add_resume(CLI::App& app, ResumeArguments& arguments) {
  CLI::App* resume = app.add_subcommand("resume", "Go on with a run that waits, paused or died");
  resume->footer(kResumeFooter);
  resume->add_option("SESSION", arguments.session, "The session's id")->required();
  resume
      ->add_option_function<std::vector<std::string>>(
          "--answer",
          [&arguments](const std::vector<std::string>& texts) {
            for (const std::string& text : texts) {
              auto answer = parse_answer(text);
              if (!answer) {
                throw CLI::ValidationError("--answer", answer.error().message);
              }
              arguments.answers.push_back(*std::move(answer));
            }
          },
          "Decide a question; may be given several times")
      ->type_name("ID=approve|reject[:REASON]|respond:TEXT")
      ->allow_extra_args(false);
  resume->add_flag("--accept-changes", arguments.accept_changes,
                   "Go on although a pending call's tool or rules changed");
  add_agent(*resume, arguments.flags);
  add_output(*resume, arguments.output);
}

void add_others(CLI::App& app, Parsed& parsed) {
  CLI::App* doctor = app.add_subcommand("doctor", "What this machine has, and what is missing");
  doctor->footer(kDoctorFooter);
  doctor->add_flag("--json", parsed.doctor.json, "As one JSON object");
  add_keys(*doctor, parsed.doctor.flags, {"model", "models", "data"});
  CLI::App* version = app.add_subcommand("version", "Versions of Ingle and its engine");
  version->footer(kVersionFooter);
  version->add_flag("--json", parsed.version.json, "As one JSON object");
  // What the process that loads an unknown model file runs to try it first. Hidden: no group.
  CLI::App* probe = app.add_subcommand("probe-model", "Load a model file and free it")->group("");
  probe->add_option("PATH", parsed.probe.path)->required();
}

/// Every command has it.
void add_verbose(CLI::App& app, bool& is_verbose) {
  app.add_flag("--verbose", is_verbose, "Of an error, tell all that is known");
  for (CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    add_verbose(*command, is_verbose);
  }
}

/// The command that was given, or null.
const CLI::App* chosen(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

UsageError usage_error(const CLI::App& app, std::string text) {
  const CLI::App* command = chosen(app);
  std::ranges::replace(text, '\n', ' ');
  const std::string name = command == nullptr ? "" : " " + command->get_name();
  return {text + "; see ingle" + name + " --help"};
}

using Command = std::variant<Arguments, HelpText, UsageError>;

void describe(CLI::App& app, Parsed& parsed) {
  app.footer(kMainFooter);
  app.require_subcommand(0, 1);
  app.add_flag("--version", parsed.is_version_flag, "As ingle version");
  add_run(app, parsed.run);
  add_resume(app, parsed.resume);
  add_chat(app, parsed.chat);
  add_models(app, parsed.models);
  add_tools(app, parsed.tools);
  add_tokenize(app, parsed.tokenize);
  add_template(app, parsed.shown);
  add_config(app, parsed.config);
  add_completion(app, parsed.completion);
  add_others(app, parsed);
  add_verbose(app, parsed.is_verbose);
}

Command parse(std::span<const std::string> args, Parsed& parsed) {
  CLI::App app(kAbout, "ingle");
  describe(app, parsed);
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));
  } catch (const CLI::CallForHelp&) {
    return HelpText{app.help()};
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error.what());
  }
  const CLI::App* command = chosen(app);
  if (command == nullptr) {
    if (parsed.is_version_flag) {
      return VersionArguments{};
    }
    return usage_error(app, "a command is missing, run or chat for one");
  }
  const std::string& name = command->get_name();
  if (name == "run") {
    return std::move(parsed.run);
  }
  if (name == "resume") {
    return std::move(parsed.resume);
  }
  if (name == "chat") {
    return std::move(parsed.chat);
  }
  if (name == "models") {
    return std::move(parsed.models);
  }
  if (name == "tools") {
    return std::move(parsed.tools);
  }
  if (name == "tokenize") {
    return std::move(parsed.tokenize);
  }
  if (name == "template") {
    return std::move(parsed.shown);
  }
  if (name == "config") {
    return std::move(parsed.config);
  }
  if (name == "completion") {
    return parsed.completion;
  }
  if (name == "doctor") {
    return std::move(parsed.doctor);
  }
  if (name == "version") {
    return parsed.version;
  }
  return std::move(parsed.probe);
}

}  // namespace

void look_at_commands(const std::function<void(const CLI::App&)>& look) {
  Parsed parsed;
  CLI::App app(kAbout, "ingle");
  describe(app, parsed);
  look(app);
}

ParsedLine parse_arguments(std::span<const std::string> args) {
  Parsed parsed;
  Command command = parse(args, parsed);
  return {std::move(command), parsed.is_verbose};
}

}  // namespace ingle::cli
