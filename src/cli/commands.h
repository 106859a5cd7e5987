/// The commands. Each prints what it has to say and returns the exit code.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "ingle/cli/cli.h"
#include "ingle/cli/environment.h"
#include "ingle/cli/exit_code.h"

namespace ingle::cli {

ExitCode run_agent(const RunArguments& arguments, Streams& streams, Environment& environment);
ExitCode resume_agent(const ResumeArguments& arguments, Streams& streams, Environment& environment);
ExitCode chat(const ChatArguments& arguments, Streams& streams, Environment& environment);
ExitCode manage_models(const ModelsArguments& arguments, Streams& streams,
                       Environment& environment);
ExitCode list_tools(const ToolsArguments& arguments, Streams& streams, Environment& environment);
ExitCode tokenize(const TokenizeArguments& arguments, Streams& streams, Environment& environment);
ExitCode show_template(const TemplateArguments& arguments, Streams& streams,
                       Environment& environment);
ExitCode show_config(const ConfigArguments& arguments, Streams& streams, Environment& environment);
ExitCode print_completion(const CompletionArguments& arguments, Streams& streams);
/// What `ingle complete WORDS` prints for the scripts of `print_completion`: see completion.h.
ExitCode complete(std::span<const std::string> words, Streams& streams, Environment& environment);
ExitCode run_doctor(const DoctorArguments& arguments, Streams& streams, Environment& environment);
ExitCode print_version(const VersionArguments& arguments, Streams& streams,
                       Environment& environment);
ExitCode probe_model(const ProbeArguments& arguments, Streams& streams, Environment& environment);

}  // namespace ingle::cli
