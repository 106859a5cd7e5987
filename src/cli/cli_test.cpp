#include "ingle/cli/cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cli/cli_fixture.h"
#include "ingle/session/state.h"
#include "ingle/testing/matchers.h"

namespace ingle::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kCallLook = R"({"tool_calls": [{"name": "look", "arguments": {}}]})"
                                  "\n";
constexpr const char* kCallChange = R"({"tool_calls": [{"name": "change", "arguments": {}}]})"
                                    "\n";
constexpr const char* kAnswer = R"({"pieces": ["All ", "done."]})"
                                "\n";

class Cli : public ::testing::Test {
 protected:
  Cli() {
    environment_.all_tools = {simple_tool("look", {.is_read_only = true}),
                              simple_tool("change", {})};
  }

  Ran run(const std::vector<std::string>& args, const Terminals& terminals = {}) {
    return run_in(environment_, args, terminals);
  }

  /// `ingle run` with the script and a session that the test can name.
  Ran ask(const std::string& script, std::vector<std::string> more = {},
          const Terminals& terminals = {}) {
    environment_.script = script;
    std::vector<std::string> args{"run", "--model", "scripted:x", "--session", "s"};
    args.insert(args.end(), more.begin(), more.end());
    args.emplace_back("The question.");
    return run(args, terminals);
  }

  SessionState state() { return *fold(*environment_.store->read(SessionId("s"), 1)); }

  FakeEnvironment environment_;
};

TEST_F(Cli, AnAnswerGoesToStandardOutputAndNothingElse) {
  const Ran ran = ask(kAnswer);
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "All done.\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(Cli, ANewSessionIsNamedOnStandardError) {
  environment_.script = kAnswer;
  const Ran ran = run({"run", "--model", "scripted:x", "Hello"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, StartsWith("session: "));
  environment_.script = kAnswer;
  EXPECT_EQ(run({"run", "--model", "scripted:x", "--quiet", "Hello"}).err, "");
}

TEST_F(Cli, TheAnswerIsExactButForItsLineFeed) {
  EXPECT_EQ(ask(R"({"text": "two\nlines\n"})").out, "two\nlines\n");
  EXPECT_EQ(ask(R"({"text": "  \u001b[31mred\n\n"})").out, "  \x1b[31mred\n\n");
  EXPECT_EQ(ask(R"({"text": ""})").out, "");
}

TEST_F(Cli, OnATerminalControlCharactersAreShown) {
  EXPECT_EQ(ask(R"({"text": "a\u001b[31mb\n\tc"})", {}, {.out = true}).out, "a\\x1b[31mb\n\tc\n");
}

TEST_F(Cli, WithToolsOnlyTheAnswerIsOnStandardOutput) {
  const std::string script =
      R"({"text": "Let me look.", "tool_calls": [{"name": "look", "arguments": {}}]})"
      "\n" +
      std::string(kAnswer);
  const Ran ran = ask(script, {"--tools", "look"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "All done.\n");
  EXPECT_EQ(ran.err, "Let me look.\n-> look {}\n<- 4 bytes\n");
}

TEST_F(Cli, OnATerminalEveryTextIsShownAsItComes) {
  const std::string script =
      R"({"text": "Let me look.", "tool_calls": [{"name": "look", "arguments": {}}]})"
      "\n" +
      std::string(kAnswer);
  EXPECT_EQ(ask(script, {"--tools", "look"}, {.out = true}).out, "Let me look.\nAll done.\n");
}

TEST_F(Cli, AToolThatFailsIsNotedInOneLine) {
  environment_.all_tools = {
      simple_tool("look", {.is_read_only = true},
                  [](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
                    return ToolFailure{"Not here.\n\x1b[2J"};
                  })};
  const Ran ran = ask(std::string(kCallLook) + kAnswer, {"--tools", "all"});
  EXPECT_THAT(ran.err, HasSubstr("<- error: Not here.\\n\\x1b[2J\n"));
}

TEST_F(Cli, AnUntilToolsResultIsTheAnswer) {
  const Ran ran = ask(kCallLook, {"--tools", "look", "--until-tool", "look"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "done\n");
}

TEST_F(Cli, AFailedRunIsExitCodeOne) {
  const Ran ran = ask(R"({"error": {"code": "unavailable", "message": "gone fishing"}})");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_EQ(ran.err, "ingle: failed: gone fishing\nto go on: ingle resume s\n");
}

TEST_F(Cli, ALimitIsExitCodeFive) {
  const Ran ran = ask(std::string(kCallLook) + kAnswer, {"--tools", "look", "--max-steps", "1"});
  EXPECT_EQ(ran.code, 5);
  EXPECT_THAT(ran.err, HasSubstr("stopped by the limit model_calls: 1 of 1\n"));
  const Ran resumed = run({"resume", "s", "--max-steps", "2"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(resumed.out, "All done.\n");
}

TEST_F(Cli, APauseIsExitCodeFourAndGoesOn) {
  environment_.pause = "terminated";
  const Ran ran = ask(std::string(kCallLook) + kAnswer, {"--tools", "look"});
  EXPECT_EQ(ran.code, 4);
  EXPECT_THAT(ran.err, HasSubstr("paused: terminated\nto go on: ingle resume s\n"));
  environment_.pause.reset();
  const Ran resumed = run({"resume", "s"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(resumed.out, "All done.\n");
  EXPECT_EQ(environment_.requests.back().skip_replies, 1U);
}

TEST_F(Cli, ACancelledRunIsExitCode130) {
  environment_.cancel.cancel(CancelReason::kUser);
  const Ran ran = ask(kAnswer);
  EXPECT_EQ(ran.code, 130);
  EXPECT_THAT(ran.err, HasSubstr("cancelled (user)"));
}

TEST_F(Cli, AQuestionIsExitCodeThreeWithTheCommandsThatAnswerIt) {
  const Ran ran =
      ask(std::string(kCallChange) + kAnswer, {"--tools", "change", "--data", "my file"});
  EXPECT_EQ(ran.code, 3);
  EXPECT_EQ(ran.out, "");
  ASSERT_EQ(state().interrupts.size(), 1U);
  const std::string id = state().interrupts[0].id.str();
  EXPECT_THAT(ran.err, HasSubstr("ingle resume s --data 'my file' --answer " + id + "=approve\n"));
}

TEST_F(Cli, EveryAnswerGoesOn) {
  struct Case {
    const char* answer;
    const char* result;
  };
  for (const Case& each : {Case{"approve", "done"}, Case{"reject:Too late", "Too late"},
                           Case{"respond:by hand", "by hand"}}) {
    environment_.store = std::make_shared<MemoryStore>();
    ASSERT_EQ(ask(std::string(kCallChange) + kAnswer, {"--tools", "change"}).code, 3);
    const std::string id = state().interrupts.at(0).id.str();
    const Ran resumed = run({"resume", "s", "--answer", id + "=" + each.answer});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(resumed.out, "All done.\n");
    EXPECT_THAT(state().transcript.at(2).text(), HasSubstr(each.result));
  }
}

TEST_F(Cli, WithoutAnAnswerTheQuestionStays) {
  ASSERT_EQ(ask(std::string(kCallChange) + kAnswer, {"--tools", "change"}).code, 3);
  const Ran resumed = run({"resume", "s"});
  EXPECT_EQ(resumed.code, 3);
  EXPECT_THAT(resumed.err, HasSubstr("=approve"));
}

TEST_F(Cli, RulesAllowAskAndDeny) {
  EXPECT_EQ(ask(std::string(kCallChange) + kAnswer, {"--tools", "all", "--allow", "ch*"}).code, 0);
  EXPECT_EQ(ask(std::string(kCallLook) + kAnswer, {"--tools", "all", "--ask", "look"}).code, 3);
  const Ran denied = ask(std::string(kCallChange) + kAnswer,
                         {"--tools", "all", "--allow", "*", "--deny", "change"});
  EXPECT_EQ(denied.code, 0);
  EXPECT_THAT(denied.err, HasSubstr("<- error: "));
  EXPECT_EQ(ask(kAnswer, {"--allow", ""}).code, 2);
}

TEST_F(Cli, AChangedPolicyIsRefusedUnlessAccepted) {
  ASSERT_EQ(ask(std::string(kCallChange) + kAnswer, {"--tools", "change"}).code, 3);
  const Ran refused = run({"resume", "s", "--allow", "change"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, StartsWith("ingle: "));
  EXPECT_EQ(run({"resume", "s", "--allow", "change", "--accept-changes"}).code, 0);
}

TEST_F(Cli, ASessionIsContinued) {
  ask(kAnswer);
  EXPECT_EQ(ask(kAnswer).code, 0);
  EXPECT_EQ(state().transcript.size(), 4U);
}

TEST_F(Cli, AFailedModelCallHasUsedItsLineOfTheScript) {
  const std::string script = R"({"error": {"code": "unavailable"}})"
                             "\n" +
                             std::string(kAnswer);
  ASSERT_EQ(ask(script).code, 1);
  EXPECT_EQ(run({"resume", "s"}).out, "All done.\n");
}

TEST_F(Cli, ResumeMakesTheSameAgent) {
  environment_.pause = "later";
  ask(std::string(kCallLook) + kAnswer,
      {"--tools", "look", "--system", "Be brief.", "--threads", "3", "--context", "99"});
  environment_.pause.reset();
  ASSERT_EQ(run({"resume", "s"}).code, 0);
  EXPECT_EQ(environment_.requests.back().threads, 3);
  EXPECT_EQ(environment_.requests.back().context_window, 99);
  EXPECT_EQ(environment_.requests.back().path.filename(), "x");
  ASSERT_TRUE(state().run);
  EXPECT_EQ(state().run->started.settings->at("system"), "Be brief.");
}

TEST_F(Cli, AnAnswerThatADeadProcessHadLoggedIsPrinted) {
  ask(kAnswer);
  // The log of a process that died between the reply and the end of its run.
  auto events = *environment_.store->read(SessionId("s"), 1);
  events.pop_back();
  environment_.store = std::make_shared<MemoryStore>();
  ASSERT_THAT(environment_.store->create(SessionId("s")), testing::IsOk());
  ASSERT_THAT(environment_.store->append(SessionId("s"), 0, events), testing::IsOk());
  const Ran resumed = run({"resume", "s"});
  EXPECT_EQ(resumed.code, 0);
  EXPECT_EQ(resumed.out, "All done.\n");
}

TEST_F(Cli, NothingToResumeAndUnknownSessionsAreExitCodeTwo) {
  ask(kAnswer);
  for (const char* session : {"s", "unknown", "../x"}) {
    const Ran ran = run({"resume", session});
    EXPECT_EQ(ran.code, 2) << session;
    EXPECT_THAT(ran.err, StartsWith("ingle: "));
    EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1);
  }
}

TEST_F(Cli, AnUnknownToolListsTheTools) {
  const Ran ran = ask(kAnswer, {"--tools", "loook"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("look, change"));
  EXPECT_THAT(ran.err, HasSubstr("did you mean look?"));
  EXPECT_THAT(environment_.requests, IsEmpty()) << "no model is loaded for a mistake";
}

TEST_F(Cli, AnUnknownUntilToolIsExitCodeTwo) {
  const Ran ran = ask(kAnswer, {"--tools", "look", "--until-tool", "change"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("no tool change; it has: look"));
  EXPECT_THAT(environment_.requests, IsEmpty()) << "no model is loaded for a mistake";
}

TEST_F(Cli, AModelThatCannotBeLoadedIsExitCodeTwoAndOneLine) {
  environment_.model_error =
      Error{ErrorCode::kInternal, "model_load_failed", "the file\nis broken", {}};
  const Ran ran = ask(kAnswer);
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "ingle: the file\\nis broken\n");
  environment_.model_error->code = ErrorCode::kCancelled;
  EXPECT_EQ(ask(kAnswer).code, 130);
}

TEST_F(Cli, ThePromptComesFromTheInputToo) {
  environment_.script = kAnswer;
  const std::vector<std::string> args{"run", "--model", "scripted:x", "--session", "s"};
  EXPECT_EQ(run(args, {.input = "from\na pipe\n"}).code, 0);
  EXPECT_EQ(state().transcript.at(0).text(), "from\na pipe");
  auto dash = args;
  dash.emplace_back("-");
  EXPECT_EQ(run(dash, {.input = "typed", .in = true}).code, 0);
}

TEST_F(Cli, APromptThatIsMissingOrNoTextIsExitCodeTwo) {
  const std::vector<std::string> args{"run", "--model", "scripted:x"};
  EXPECT_EQ(run(args, {.in = true}).code, 2);
  EXPECT_EQ(run(args, {.input = ""}).code, 2);
  EXPECT_EQ(run(args, {.input = "\xff\xfe"}).code, 2);
  EXPECT_THAT(run(args, {.in = true}).err, HasSubstr("--help"));
}

TEST_F(Cli, WrongUsageIsExitCodeTwoOnStandardError) {
  const Ran ran = run({"run", "--nonsense"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, StartsWith("ingle: "));
  EXPECT_EQ(run({}).code, 2);
}

TEST_F(Cli, HelpGoesToStandardOutput) {
  const Ran ran = run({"resume", "--help"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, HasSubstr("Examples:"));
}

TEST_F(Cli, VersionSaysWhatIsInside) {
  EXPECT_EQ(run({"version"}).out, "ingle 1.2.3\nfake v1\n");
  const Ran ran = run({"version", "--json"});
  ASSERT_EQ(ran.lines().size(), 1U);
  EXPECT_EQ(ran.lines()[0]["ingle"], "1.2.3");
}

TEST_F(Cli, ColoursAndProgressOnlyOnATerminalWithoutNoColor) {
  const std::string script = std::string(kCallLook) + kAnswer;
  EXPECT_THAT(ask(script, {"--tools", "look"}).err, Not(HasSubstr("\x1b")));
  const Ran lively = ask(script, {"--tools", "look"}, {.err = true});
  EXPECT_THAT(lively.err, HasSubstr("\x1b[2m-> look"));
  EXPECT_THAT(lively.err, HasSubstr("loading the model 50 %"));
  environment_.variables["NO_COLOR"] = "1";
  EXPECT_THAT(ask(script, {"--tools", "look"}, {.err = true}).err, Not(HasSubstr("\x1b")));
}

TEST_F(Cli, AnOutputThatCannotBeWrittenCancelsTheRun) {
  environment_.script = std::string(kCallLook) + kAnswer;
  std::istringstream in;
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  std::ostringstream err;
  Streams streams{.in = in, .out = out, .err = err};
  const std::vector<std::string> args{"run",     "--json", "--model", "scripted:x",
                                      "--tools", "look",   "Hello"};
  EXPECT_EQ(run_command(args, streams, environment_), 130);
  EXPECT_EQ(environment_.cancel.reason(), CancelReason::kAbandoned);
}

// ---- --json
// -----------------------------------------------------------------------------------------------

/// The rules that hold for every stream of lines.
void expect_well_formed(const Ran& ran, std::int64_t first_seq, const std::string& last_type) {
  const auto lines = ran.lines();
  ASSERT_FALSE(lines.empty());
  std::int64_t seq = first_seq;
  int ends = 0;
  for (const json& line : lines) {
    ASSERT_TRUE(line.is_object()) << ran.out;
    ASSERT_TRUE(line.contains("type"));
    if (line.contains("seq")) {
      EXPECT_EQ(line["seq"], seq++);
    }
    ends += line["type"] == "outcome" || line["type"] == "error" ? 1 : 0;
  }
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(lines.back()["type"], last_type);
}

TEST_F(Cli, JsonLinesHaveEveryEventAndTheOutcomeLast) {
  struct Case {
    const char* outcome;
    int code;
    std::string script;
    std::vector<std::string> args;
  };
  const std::string look = kCallLook;
  const std::vector<Case> cases{
      {"completed", 0, look + kAnswer, {"--tools", "look"}},
      {"tool_result", 0, look, {"--tools", "look", "--until-tool", "look"}},
      {"interrupted", 3, kCallChange, {"--tools", "change"}},
      {"stopped", 5, look, {"--tools", "look", "--max-steps", "1"}},
      {"failed", 1, "", {}}};
  for (const Case& each : cases) {
    environment_.store = std::make_shared<MemoryStore>();
    auto args = each.args;
    args.emplace_back("--json");
    const Ran ran = ask(each.script, args);
    EXPECT_EQ(ran.code, each.code) << each.outcome;
    expect_well_formed(ran, 1, "outcome");
    const json last = ran.lines().back();
    EXPECT_EQ(last["outcome"], each.outcome);
    EXPECT_EQ(last["session"], "s");
    EXPECT_EQ(last["run"], "run_1");
    EXPECT_TRUE(last["usage"].contains("prompt_tokens"));
    EXPECT_EQ(ran.err, "");
  }
}

TEST_F(Cli, JsonPausedAndCancelled) {
  environment_.pause = "why not";
  const Ran paused = ask(std::string(kCallLook) + kAnswer, {"--tools", "look", "--json"});
  expect_well_formed(paused, 1, "outcome");
  EXPECT_EQ(paused.lines().back()["outcome"], "paused");
  environment_.pause.reset();
  const auto before = state().last_seq;
  environment_.cancel.cancel(CancelReason::kUser);
  const Ran cancelled = run({"resume", "s", "--json"});
  EXPECT_EQ(cancelled.code, 130);
  expect_well_formed(cancelled, before + 1, "outcome");
  EXPECT_EQ(cancelled.lines().back()["outcome"], "cancelled");
}

TEST_F(Cli, JsonHasDeltasWithoutSeq) {
  const std::string script =
      R"({"reasoning": "hm", "text": "a", "tool_calls": [{"name": "look", "arguments": {}}, {"name": "look"}]})"
      "\n" +
      std::string(kAnswer);
  const Ran ran = ask(script, {"--tools", "look", "--json"});
  std::vector<std::string> deltas;
  std::vector<int> indices;
  for (const json& line : ran.lines()) {
    if (const std::string type = line["type"]; type.ends_with("_delta")) {
      EXPECT_FALSE(line.contains("seq"));
      deltas.push_back(type);
      if (type == "tool_call_delta") {
        indices.push_back(line.at("index"));
      }
    }
  }
  EXPECT_THAT(deltas,
              ElementsAre("reasoning_delta", "text_delta", "tool_call_delta", "tool_call_delta",
                          "tool_call_delta", "text_delta", "text_delta"));
  EXPECT_THAT(indices, ElementsAre(0, 0, 1));
}

TEST_F(Cli, JsonOfAContinuedSessionBeginsWhereItWas) {
  ask(kAnswer);
  const auto before = state().last_seq;
  expect_well_formed(ask(kAnswer, {"--json"}), before + 1, "outcome");
}

TEST_F(Cli, JsonErrorBeforeTheRunIsTheLastLine) {
  environment_.model_error = Error{ErrorCode::kNotFound, "model_not_found", "no such file", {}};
  const Ran ran = ask(kAnswer, {"--json"});
  EXPECT_EQ(ran.code, 2);
  expect_well_formed(ran, 1, "error");
  EXPECT_EQ(ran.lines().back()["error"]["reason"], "model_not_found");
  EXPECT_EQ(ran.err, "ingle: no such file\n");
}

}  // namespace
}  // namespace ingle::cli
