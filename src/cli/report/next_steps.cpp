#include "cli/report/next_steps.h"

#include <fmt/format.h>

#include <variant>

#include "cli/text/terminal_text.h"

namespace ingle::cli {
namespace {

struct Ending {
  std::string operator()(const Completed& outcome) const {
    return outcome.finish_reason == FinishReason::kLength
               ? "the answer was cut: it reached the limit of tokens (--max-tokens, --context)"
               : "";
  }
  std::string operator()(const ToolResultOutcome& /*outcome*/) const { return ""; }
  std::string operator()(const Interrupted& outcome) const {
    return outcome.interrupts.size() == 1 ? "a person has to decide:"
                                          : "a person has to decide each of:";
  }
  std::string operator()(const Paused& outcome) const {
    return outcome.reason.empty() ? "paused" : "paused: " + outcome.reason;
  }
  std::string operator()(const Stopped& outcome) const {
    const bool is_time = outcome.limit == LimitKind::kWallTime;
    return fmt::format("stopped by the limit {}: {} of {}{}", to_string(outcome.limit),
                       outcome.used, outcome.allowed, is_time ? " milliseconds" : "");
  }
  std::string operator()(const Cancelled& outcome) const {
    return fmt::format("cancelled ({})", to_string(outcome.reason));
  }
  std::string operator()(const Failed& outcome) const { return "failed: " + outcome.error.message; }
};

void add_question(std::vector<std::string>& lines, const InterruptRaised& interrupt,
                  const std::string& resume_command) {
  const std::string& id = interrupt.id.str();
  const std::string command = resume_command + " --answer ";
  const bool is_unknown = interrupt.kind == InterruptKind::kUnknownOutcome;
  lines.push_back(fmt::format("{}: {}", id, interrupt.text));
  lines.push_back(fmt::format("  {}  {}{}=approve",
                              is_unknown ? "run it again:      " : "let it run:        ", command,
                              id));
  lines.push_back(fmt::format("  go on without it:    {}{}=reject:REASON", command, id));
  lines.push_back(fmt::format("  give its result:     {}{}=respond:TEXT", command, id));
}

}  // namespace

std::string ending(const Outcome& outcome) { return std::visit(Ending{}, outcome); }

std::vector<std::string> next_steps(const Outcome& outcome, const SessionState& state,
                                    const std::string& resume_command) {
  std::vector<std::string> lines;
  if (std::holds_alternative<Interrupted>(outcome)) {
    for (const InterruptRaised& interrupt : state.interrupts) {
      add_question(lines, interrupt, resume_command);
    }
    return lines;
  }
  if (!can_resume(state) && !needs_reply(state)) {
    return lines;
  }
  const auto* stopped = std::get_if<Stopped>(&outcome);
  const bool needs_steps = stopped != nullptr && stopped->limit == LimitKind::kModelCalls;
  lines.push_back("to go on: " + resume_command + (needs_steps ? " --max-steps N" : ""));
  return lines;
}

std::string resume_command_line(const std::string& command, const SessionId& session,
                                const std::optional<std::string>& data) {
  return fmt::format("{} resume {}{}", shell_quoted(command), session.str(),
                     data ? " --data " + shell_quoted(*data) : "");
}

}  // namespace ingle::cli
