#include "cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "cli/help_text.h"
#include "cli/options_parts.h"

namespace ingle::cli {
namespace {

/// CLI11's own says the bounds of a double in full.
CLI::Validator above_zero() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value);
        return is_number && value > 0 ? "" : "\"" + text + "\" is not a number above 0";
      },
      "");
}

// Everything is optional or has its default already, so that CLI11 has nothing to fill in.
struct Parsed {
  RunArguments run;
  ResumeArguments resume;
  ChatArguments chat;
  ModelsArguments models;
  ToolsArguments tools;
  TokenizeArguments tokenize;
  TemplateArguments shown;
  DoctorArguments doctor;
  VersionArguments version;
  ProbeArguments probe;
  bool is_version_flag = false;
};

void add_output(CLI::App& app, OutputFlags& output) {
  app.add_flag("--json", output.json, "One JSON object per line: events, then the outcome")
      ->group("Output");
  app.add_flag("--quiet", output.quiet, "No notes on what is being done")->group("Output");
}

void add_rule(CLI::App& app, const std::string& flag, GateEffect effect, AgentFlags& flags,
              const std::string& description) {
  app.add_option_function<std::vector<std::string>>(
         flag,
         [&flags, effect](const std::vector<std::string>& patterns) {
           for (const std::string& pattern : patterns) {
             flags.rules.push_back({.tools = pattern, .effect = effect});
           }
         },
         description)
      ->type_name("PATTERN")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group("Tools");
}

}  // namespace

void add_data(CLI::App& app, std::optional<std::string>& data) {
  app.add_option("--data", data, "Where sessions are kept (default: INGLE_DATA)")
      ->type_name("FILE");
}

void add_agent(CLI::App& app, AgentFlags& flags) {
  app.add_option("--model", flags.model,
                 "A model's name, the path of a GGUF file, or scripted:FILE (default: INGLE_MODEL)")
      ->type_name("M");
  app.add_option("--system", flags.system, "What the model is told first")->type_name("T");
  app.add_option("--tools", flags.tools, "Tools the model may call, or all (default: none)")
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group("Tools");
  app.add_option("--root", flags.root, "What the file tools see (default: the current folder)")
      ->type_name("DIR")
      ->group("Tools");
  add_rule(app, "--allow", GateEffect::kAllow, flags, "Tools that run without being asked about");
  add_rule(app, "--ask", GateEffect::kAsk, flags, "Tools that a person is asked about");
  add_rule(app, "--deny", GateEffect::kDeny, flags, "Tools that never run");
  app.add_option("--max-steps", flags.max_steps, "Model calls of the run (default: 50)")
      ->type_name("N")
      ->check(above_zero())
      ->group("Limits");
  app.add_option("--max-tokens", flags.max_tokens, "Tokens of one reply (default: 1024)")
      ->type_name("N")
      ->check(above_zero())
      ->group("Limits");
  app.add_option("--timeout", flags.timeout, "Seconds the run may take (default: any)")
      ->type_name("SECONDS")
      ->check(above_zero())
      ->group("Limits");
  app.add_option("--temperature", flags.temperature, "0 to 2; 0 is the likeliest text (default: 0)")
      ->type_name("T")
      ->check(CLI::Range(0.0, 2.0))
      ->group("Engine");
  app.add_option("--threads", flags.threads, "Threads of the engine (default: one a core)")
      ->type_name("N")
      ->check(above_zero())
      ->group("Engine");
  app.add_option("--context", flags.context, "Context window in tokens (default: the model's)")
      ->type_name("N")
      ->check(above_zero())
      ->group("Engine");
}

namespace {

void add_run(CLI::App& app, RunArguments& arguments) {
  CLI::App* run = app.add_subcommand("run", "Ask an agent something");
  run->footer(kRunFooter);
  run->add_option("PROMPT", arguments.prompt,
                  "The question; \"-\", or nothing with a pipe: read from standard input");
  add_agent(*run, arguments.agent);
  run->add_option("--until-tool", arguments.until_tools,
                  "Go on until one of these tools was called; its result is the answer")
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group("Tools");
  run->add_option("--session", arguments.session, "Continue this session, or begin it")
      ->type_name("ID");
  add_data(*run, arguments.data);
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
  add_agent(*resume, arguments.agent);
  add_data(*resume, arguments.data);
  add_output(*resume, arguments.output);
}

void add_others(CLI::App& app, Parsed& parsed) {
  CLI::App* doctor = app.add_subcommand("doctor", "What this machine has, and what is missing");
  doctor->footer(kDoctorFooter);
  doctor->add_flag("--json", parsed.doctor.json, "As one JSON object");
  add_data(*doctor, parsed.doctor.data);
  CLI::App* version = app.add_subcommand("version", "Versions of Ingle and its engine");
  version->footer(kVersionFooter);
  version->add_flag("--json", parsed.version.json, "As one JSON object");
  // What the process that loads an unknown model file runs to try it first. Hidden: no group.
  CLI::App* probe = app.add_subcommand("probe-model", "Load a model file and free it")->group("");
  probe->add_option("PATH", parsed.probe.path)->required();
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

}  // namespace

std::variant<Arguments, HelpText, UsageError> parse_arguments(std::span<const std::string> args) {
  Parsed parsed;
  CLI::App app(kAbout, "ingle");
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
  add_others(app, parsed);
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
  if (name == "doctor") {
    return std::move(parsed.doctor);
  }
  if (name == "version") {
    return parsed.version;
  }
  return std::move(parsed.probe);
}

}  // namespace ingle::cli
