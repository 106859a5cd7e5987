#include "ingle/cli/cli.h"

#include <ostream>
#include <utility>
#include <variant>

#include "cli/commands.h"
#include "cli/options/completion.h"
#include "cli/report/notes.h"

namespace ingle::cli {
namespace {

/// Calls the command of its arguments: one overload each.
struct Dispatch {
  Streams& streams;
  Environment& environment;

  ExitCode operator()(const RunArguments& arguments) const {
    return run_agent(arguments, streams, environment);
  }
  ExitCode operator()(const ResumeArguments& arguments) const {
    return resume_agent(arguments, streams, environment);
  }
  ExitCode operator()(const ChatArguments& arguments) const {
    return chat(arguments, streams, environment);
  }
  ExitCode operator()(const ModelsArguments& arguments) const {
    return manage_models(arguments, streams, environment);
  }
  ExitCode operator()(const ToolsArguments& arguments) const {
    return list_tools(arguments, streams, environment);
  }
  ExitCode operator()(const TokenizeArguments& arguments) const {
    return tokenize(arguments, streams, environment);
  }
  ExitCode operator()(const TemplateArguments& arguments) const {
    return show_template(arguments, streams, environment);
  }
  ExitCode operator()(const ConfigArguments& arguments) const {
    return show_config(arguments, streams, environment);
  }
  ExitCode operator()(const CompletionArguments& arguments) const {
    return print_completion(arguments, streams);
  }
  ExitCode operator()(const DoctorArguments& arguments) const {
    return run_doctor(arguments, streams, environment);
  }
  ExitCode operator()(const VersionArguments& arguments) const {
    return print_version(arguments, streams, environment);
  }
  ExitCode operator()(const ProbeArguments& arguments) const {
    return probe_model(arguments, streams, environment);
  }
};

ExitCode run_parsed(std::span<const std::string> args, Streams& streams, Environment& environment) {
  // Words that are not finished are no command line yet.
  if (!args.empty() && args.front() == kCompleteCommand) {
    return complete(args.subspan(1), streams, environment);
  }
  const auto [parsed, is_verbose] = parse_arguments(args);
  streams.is_verbose = is_verbose;
  if (const auto* help = std::get_if<HelpText>(&parsed)) {
    streams.out << help->text;
    return ExitCode::kOk;
  }
  if (const auto* error = std::get_if<UsageError>(&parsed)) {
    make_notes(streams, environment).error(error->text);
    return ExitCode::kUsage;
  }
  return std::visit(Dispatch{streams, environment}, std::get<Arguments>(parsed));
}

}  // namespace

ExitCode probe_model(const ProbeArguments& arguments, Streams& streams, Environment& environment) {
  const auto probed = environment.probe_model(arguments.path);
  if (!probed) {
    // The process that asked for the probe puts it into words of its own.
    streams.err << probed.error().message << '\n';
    return ExitCode::kFailed;
  }
  return ExitCode::kOk;
}

int run_command(std::span<const std::string> args, Streams& streams, Environment& environment) {
  const ExitCode code = run_parsed(args, streams, environment);
  streams.out.flush();
  return static_cast<int>(code);
}

}  // namespace ingle::cli
