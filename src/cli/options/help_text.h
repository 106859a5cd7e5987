/// The parts of --help that CLI11 does not write.
#pragma once

namespace ingle::cli {

inline constexpr const char* kAbout =
    "Ingle runs language-model agents with tools, on a model in this process.";

inline constexpr const char* kMainFooter = R"(Examples:
  ingle run "What is a hearth?"
  ingle run --tools all --root notes "When does the library open? Look into hours.txt."
  ingle chat
  ingle resume 01jd8 --answer ask_7=approve
  ingle doctor

Every command has --help. Exit codes: 0 done, 1 failed, 2 bad usage or input, 3 a person has to
decide, 4 paused, 5 stopped by a limit, 130 cancelled.)";

inline constexpr const char* kRunFooter = R"(Examples:
  ingle run "What is a hearth?"
  ingle run --tools list_files,read_file --root notes "What is in plan.txt?"
  ingle run --session tea "I like green tea."; ingle run --session tea "What do I like?"
  git diff | ingle run --system "Write a commit message." -
  ingle run --model scripted:replies.jsonl --json "Hello"

The answer goes to standard output, all else to standard error. A tool that only reads is allowed
to run; any other is asked about, which ends the command with exit code 3 (see ingle resume --help).
Of the rules given by --allow, --ask and --deny the strictest that matches wins; in a PATTERN,
'*' stands for any characters. Ctrl-C cancels; SIGTERM pauses at the next safe point.

Exit codes: 0 answered (or the tool of --until-tool was called), 1 failed, 2 bad usage or input,
3 a person has to decide, 4 paused, 5 stopped by a limit, 130 cancelled.

ingle config lists what can be set in ingle.toml and in the environment too.)";

inline constexpr const char* kResumeFooter = R"(Examples:
  ingle resume 01jd8                                   go on after a pause or a crash
  ingle resume 01jd8 --answer ask_7=approve            let the call run
  ingle resume 01jd8 --answer "ask_7=reject:Not now."  go on without it; the model is told why
  ingle resume 01jd8 --answer "ask_7=respond:42"       give its result by hand

The agent is made again as it was; options given here override. A pending call whose tool or rules
changed is refused unless --accept-changes is given. Limits that are given here hold for the new run
that follows one that was stopped or failed; a run that was interrupted or paused keeps its own.

Exit codes: as for ingle run; 2 also when there is nothing to resume.)";

inline constexpr const char* kDoctorFooter = R"(Examples:
  ingle doctor
  ingle doctor --json

Exit codes: 0 everything that is needed is there, 1 something is missing.)";

inline constexpr const char* kVersionFooter = R"(Examples:
  ingle version
  ingle version --json

Exit codes: 0.)";

}  // namespace ingle::cli
