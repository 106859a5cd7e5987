/// The command line as values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "ingle/agent/run.h"
#include "ingle/policy/policy.h"

namespace ingle::cli {

/// What describes an agent. On `resume`, what is not given stays as it was.
struct AgentFlags {
  std::optional<std::string> model = {};
  std::optional<std::vector<std::string>> tools = {};
  std::optional<std::string> root = {};
  std::optional<std::string> system = {};
  std::optional<std::int64_t> max_steps = {};
  std::optional<std::int64_t> max_tokens = {};
  std::optional<double> temperature = {};
  std::optional<double> timeout = {};  ///< Seconds.
  std::vector<Rule> rules = {};
  std::optional<std::int32_t> threads = {};
  std::optional<std::int32_t> context = {};
};

struct OutputFlags {
  bool json = false;
  bool quiet = false;
};

struct RunArguments {
  AgentFlags agent = {};
  OutputFlags output = {};
  std::vector<std::string> until_tools = {};
  std::optional<std::string> session = {};
  std::optional<std::string> data = {};
  std::optional<std::string> prompt = {};  ///< "-": read it from the input.
};

struct ResumeArguments {
  AgentFlags agent = {};
  OutputFlags output = {};
  std::string session = {};
  std::optional<std::string> data = {};
  std::vector<InterruptAnswer> answers = {};
  bool accept_changes = false;
};

struct ChatArguments {
  AgentFlags agent = {};
  std::optional<std::string> session = {};
  std::optional<std::string> data = {};
};

struct DoctorArguments {
  bool json = false;
  std::optional<std::string> data = {};
};

struct VersionArguments {
  bool json = false;
};

/// `models`: the files in the models folder.
struct ModelsArguments {
  enum class Action : std::uint8_t { kList, kShow, kPath, kAdd, kRemove };
  Action action = Action::kList;
  std::string name = {};            ///< kShow, kPath, kRemove; kAdd: empty for the file's own.
  std::filesystem::path file = {};  ///< kAdd.
  bool force = false;               ///< kAdd: replace what has the name.
  bool yes = false;                 ///< kRemove: without a question.
  bool json = false;                ///< kList, kShow.
};

struct ToolsArguments {
  std::optional<std::string> root = {};
  bool json = false;
};

struct TokenizeArguments {
  std::optional<std::string> model = {};
  std::optional<std::string> text = {};  ///< As the prompt of `run`.
  bool is_prompt = false;                ///< Markers of the template count.
  bool json = false;
};

struct TemplateArguments {
  std::optional<std::string> model = {};
  std::optional<std::vector<std::string>> tools = {};
  std::optional<std::string> root = {};
  std::optional<std::string> system = {};
  std::optional<std::string> prompt = {};
  bool json = false;
};

struct ProbeArguments {
  std::filesystem::path path = {};
};

using Arguments = std::variant<RunArguments, ResumeArguments, ChatArguments, ModelsArguments,
                               ToolsArguments, TokenizeArguments, TemplateArguments,
                               DoctorArguments, VersionArguments, ProbeArguments>;

/// Somebody asked for help: print it and be done.
struct HelpText {
  std::string text = {};
};

/// The arguments make no sense; one line that says why and where to look.
struct UsageError {
  std::string text = {};
};

/// Reads a command line, without the program's name.
[[nodiscard]] std::variant<Arguments, HelpText, UsageError> parse_arguments(
    std::span<const std::string> args);

/// "ID=approve", "ID=reject", "ID=reject:REASON" or "ID=respond:TEXT".
/// Errors: invalid_argument "answer_invalid".
Result<InterruptAnswer> parse_answer(const std::string& text);

}  // namespace ingle::cli
