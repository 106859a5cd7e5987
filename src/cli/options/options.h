/// The command line as values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cli/config/configuration.h"
#include "ingle/agent/run.h"

namespace ingle::cli {

struct OutputFlags {
  bool json = false;
  bool quiet = false;
};

struct RunArguments {
  Flags flags = {};
  OutputFlags output = {};
  std::vector<std::string> until_tools = {};
  std::optional<std::string> session = {};
  std::optional<std::string> prompt = {};  ///< "-": read it from the input.
};

struct ResumeArguments {
  Flags flags = {};
  OutputFlags output = {};
  std::string session = {};
  std::vector<InterruptAnswer> answers = {};
  bool accept_changes = false;
};

struct ChatArguments {
  Flags flags = {};
  std::optional<std::string> session = {};
};

enum class Shell : std::uint8_t { kBash, kZsh, kFish };

struct DoctorArguments {
  Flags flags = {};
  bool json = false;
};

struct VersionArguments {
  bool json = false;
};

/// `models`: the files in the models folder.
struct ModelsArguments {
  enum class Action : std::uint8_t { kList, kShow, kPath, kAdd, kRemove };
  Flags flags = {};
  Action action = Action::kList;
  std::string name = {};            ///< kShow, kPath, kRemove; kAdd: empty for the file's own.
  std::filesystem::path file = {};  ///< kAdd.
  bool force = false;               ///< kAdd: replace what has the name.
  bool yes = false;                 ///< kRemove: without a question.
  bool json = false;                ///< kList, kShow.
};

struct ToolsArguments {
  Flags flags = {};
  bool json = false;
};

struct TokenizeArguments {
  Flags flags = {};
  std::optional<std::string> text = {};  ///< As the prompt of `run`.
  bool is_prompt = false;                ///< Markers of the template count.
  bool json = false;
};

struct TemplateArguments {
  Flags flags = {};
  std::optional<std::string> prompt = {};
  bool json = false;
};

/// `config`: what holds, and who said so.
struct ConfigArguments {
  Flags flags = {};
  std::optional<std::string> key = {};  ///< Only this one's value.
  bool json = false;
};

/// `completion`: a script for a shell.
struct CompletionArguments {
  Shell shell = Shell::kBash;
};

struct ProbeArguments {
  std::filesystem::path path = {};
};

using Arguments =
    std::variant<RunArguments, ResumeArguments, ChatArguments, ModelsArguments, ToolsArguments,
                 TokenizeArguments, TemplateArguments, ConfigArguments, CompletionArguments,
                 DoctorArguments, VersionArguments, ProbeArguments>;

/// Somebody asked for help: print it and be done.
struct HelpText {
  std::string text = {};
};

/// The arguments make no sense; one line that says why and where to look.
struct UsageError {
  std::string text = {};
};

/// A command line that was read.
struct ParsedLine {
  std::variant<Arguments, HelpText, UsageError> command = {};
  bool is_verbose = false;
};

/// Reads a command line, without the program's name.
[[nodiscard]] ParsedLine parse_arguments(std::span<const std::string> args);

/// "ID=approve", "ID=reject", "ID=reject:REASON" or "ID=respond:TEXT".
/// Errors: invalid_argument "answer_invalid".
Result<InterruptAnswer> parse_answer(const std::string& text);

}  // namespace ingle::cli
