#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>
#include <vector>

#include "cli/cli_fixture.h"
#include "ingle/session/state.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLook = R"({"tool_calls": [{"name": "look", "arguments": {}}]})"
                              "\n";
constexpr const char* kChange = R"({"tool_calls": [{"name": "change", "arguments": {}}]})"
                                "\n";
constexpr const char* kTwo = R"({"text": "One."})"
                             "\n"
                             R"({"text": "Two."})"
                             "\n";

class ChatCommandLine : public ::testing::Test {
 protected:
  ChatCommandLine() {
    environment_.variables["INGLE_DATA"] = (folder_.path() / "sessions.db").string();
    environment_.variables["INGLE_MODELS"] = folder_.path().string();
    environment_.all_tools = {
        simple_tool("look", {.is_read_only = true}),
        simple_tool("change", {}, [this](const Call&, const ToolContext&, const Json&) {
          ++changes_;
          return ToolOutcome(ToolValue{.text = "changed"});
        })};
  }

  /// `ingle chat --session s` with these lines, and Ctrl-D behind them.
  Ran chat(std::vector<Line> lines, std::vector<std::string> more = {}) {
    environment_.lines.lines = {lines.begin(), lines.end()};
    std::vector<std::string> args{"chat", "--session", "s"};
    args.insert(args.end(), more.begin(), more.end());
    return run_in(environment_, args);
  }
  Ran chat_script(const std::string& script, std::vector<Line> lines,
                  std::vector<std::string> more = {}) {
    environment_.script = script;
    more.insert(more.end(), {"--model", "scripted:x"});
    return chat(std::move(lines), std::move(more));
  }

  SessionState state(const std::string& session = "s") {
    return *fold(*environment_.store->read(SessionId(session), 1));
  }
  const Outcome& outcome() {
    state_ = state();
    return *state_.run->outcome;
  }
  std::size_t sessions() { return environment_.store->list()->size(); }

  testing::TempDir folder_;
  FakeEnvironment environment_;
  SessionState state_;
  int changes_ = 0;
  int looks_ = 0;
};

const Line kInterrupt{LineEnd::kInterrupt, ""};

TEST_F(ChatCommandLine, TheModelIsLoadedOnceForAllTurns) {
  const Ran ran = chat_script(kTwo, {line("a"), line("b")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "One.\nTwo.\n");
  EXPECT_EQ(environment_.requests.size(), 1U);
  EXPECT_EQ(state().transcript.size(), 4U);
  EXPECT_THAT(ran.err, EndsWith("to go on: ingle chat --session s\n"));
}

TEST_F(ChatCommandLine, AnEmptyLineSaysNothing) {
  EXPECT_EQ(chat_script(kTwo, {line(""), line("  \n ")}).out, "");
  EXPECT_EQ(sessions(), 0U);
}

TEST_F(ChatCommandLine, TwoSlashesSayOne) {
  (void)chat_script(kTwo, {line("//help")});
  EXPECT_EQ(state().transcript.front().text(), "/help");
}

TEST_F(ChatCommandLine, QuitLeavesAndWhatFollowsIsNotRead) {
  const Ran ran = chat_script(kTwo, {line("/quit"), line("a")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "");
}

TEST_F(ChatCommandLine, AFailedTurnDoesNotEndTheChat) {
  const Ran ran = chat_script(R"({"error": {"code": "unavailable", "message": "gone fishing"}})"
                              "\n" +
                                  std::string(kTwo),
                              {line("a"), line("b")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("ingle: failed: gone fishing; /continue goes on\n"));
  EXPECT_EQ(ran.out, "One.\n");
}

TEST_F(ChatCommandLine, ContinueGoesOnWithATurnThatFailed) {
  const Ran ran = chat_script(R"({"error": {"code": "unavailable", "message": "gone fishing"}})"
                              "\n" +
                                  std::string(kTwo),
                              {line("a"), line("/continue"), line("/continue")});
  EXPECT_EQ(ran.out, "One.\n");
  EXPECT_THAT(ran.err, HasSubstr("nothing to go on with"));
  EXPECT_EQ(state().transcript.size(), 2U);
}

TEST_F(ChatCommandLine, AModelThatCannotBeLoadedIsBadInput) {
  environment_.model_error = Error{ErrorCode::kNotFound, "x", "no such file", {}};
  const Ran ran = chat_script(kTwo, {line("a")});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.err, "ingle: no such file\n");
  EXPECT_EQ(chat({}, {"--tools", "lok"}).code, 2);
}

// Ctrl-C, Ctrl-D, SIGTERM.

TEST_F(ChatCommandLine, CtrlCStopsATurnAndTheNextOneLeaves) {
  environment_.all_tools[0] = simple_tool("look", {.is_read_only = true},
                                          [this](const Call&, const ToolContext&, const Json&) {
                                            environment_.cancel.cancel(CancelReason::kUser);
                                            return ToolOutcome(ToolValue{.text = "seen"});
                                          });
  const std::string script = std::string(kLook) + kTwo;
  const Ran goes_on = chat_script(script, {line("a"), line("b")}, {"--tools", "look"});
  EXPECT_EQ(goes_on.code, 0);
  EXPECT_EQ(goes_on.out, "One.\n");
  EXPECT_THAT(goes_on.err, HasSubstr("stopped; what was written is kept"));
  const Ran leaves = chat({line("c"), kInterrupt, line("d")}, {"--model", "scripted:y"});
  EXPECT_EQ(leaves.code, 130);
}

TEST_F(ChatCommandLine, CtrlCTwiceAtAnEmptyPromptLeaves) {
  EXPECT_EQ(chat_script(kTwo, {kInterrupt, kInterrupt, line("a")}).code, 130);
  const Ran ran = chat_script(kTwo, {kInterrupt, line("a"), kInterrupt, line("b")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "One.\nTwo.\n");
  EXPECT_THAT(ran.err, HasSubstr("once more, or Ctrl-D, to leave"));
}

TEST_F(ChatCommandLine, CtrlCDropsWhatWasTypedFirst) {
  EXPECT_EQ(chat_script(kTwo, {kInterrupt, {LineEnd::kInterrupt, "dra"}, line("a")}).out, "One.\n");
}

TEST_F(ChatCommandLine, SigtermAtThePromptLeaves) {
  const Ran ran = chat_script(kTwo, {line("a"), {LineEnd::kTerminated, ""}, line("b")});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "One.\n");
  EXPECT_THAT(ran.err, EndsWith("to go on: ingle chat --session s\n"));
}

TEST_F(ChatCommandLine, SigtermInATurnPausesItAndTheNextChatGoesOn) {
  environment_.all_tools[0] = simple_tool("look", {.is_read_only = true},
                                          [this](const Call&, const ToolContext&, const Json&) {
                                            if (++looks_ == 1) {
                                              environment_.pause = "terminated";
                                            }
                                            return ToolOutcome(ToolValue{.text = "seen"});
                                          });
  const std::string script = std::string(kLook) + kLook + kTwo;
  const Ran paused = chat_script(script, {line("a"), line("b")}, {"--tools", "look"});
  EXPECT_EQ(paused.code, 4);
  EXPECT_THAT(paused.err, HasSubstr("ingle: paused: terminated\n"));
  EXPECT_THAT(paused.err, EndsWith("to go on: ingle chat --session s\n"));
  environment_.pause.reset();
  const Ran resumed = chat({line("b")});
  EXPECT_EQ(resumed.code, 0);
  EXPECT_EQ(resumed.out, "One.\nTwo.\n");
  EXPECT_THAT(resumed.err, HasSubstr("going on with the last turn"));
}

// A tool needs a person.

TEST_F(ChatCommandLine, AnApprovedCallRuns) {
  const Ran ran = chat_script(std::string(kChange) + kTwo, {line("a"), line("y"), line("b")},
                              {"--tools", "change"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(changes_, 1);
  EXPECT_EQ(ran.out, "One.\nTwo.\n");
  EXPECT_THAT(ran.err, HasSubstr("-> change\nMay change run?\ny run it"));
  EXPECT_THAT(ran.err, HasSubstr("   changed\n<- 7 bytes\n"));
}

TEST_F(ChatCommandLine, ARejectedCallDoesNotRunAndTheModelIsTold) {
  const Ran ran = chat_script(std::string(kChange) + kTwo, {line("a"), line("n"), line("Not now.")},
                              {"--tools", "change"});
  EXPECT_EQ(ran.out, "One.\n");
  EXPECT_EQ(changes_, 0);
  EXPECT_THAT(state().transcript.at(2).text(), HasSubstr("Not now."));
}

TEST_F(ChatCommandLine, APersonGivesTheResult) {
  const Ran ran = chat_script(std::string(kChange) + kTwo, {line("a"), line("r"), line("42")},
                              {"--tools", "change"});
  EXPECT_EQ(ran.out, "One.\n");
  EXPECT_EQ(changes_, 0);
  EXPECT_EQ(state().transcript.at(2).text(), "42");
}

TEST_F(ChatCommandLine, AnEmptyLineIsNoApproval) {
  const Ran ran =
      chat_script(std::string(kChange) + kTwo, {line("a"), line("")}, {"--tools", "change"});
  EXPECT_EQ(changes_, 0);
  EXPECT_TRUE(std::holds_alternative<Interrupted>(outcome()));
}

TEST_F(ChatCommandLine, WhatIsLeftWaitsAndIsAskedAgain) {
  const std::string script = std::string(kChange) + kTwo;
  const Ran left =
      chat_script(script, {line("a"), line("l"), line("/quit")}, {"--tools", "change"});
  EXPECT_EQ(left.code, 0);
  EXPECT_THAT(left.err, HasSubstr("it waits: /continue asks again"));
  EXPECT_TRUE(std::holds_alternative<Interrupted>(outcome()));
  const Ran same = chat({line("l"), line("/continue"), line("y"), line("b")});
  EXPECT_EQ(changes_, 1);
  EXPECT_EQ(same.out, "One.\nTwo.\n");
}

TEST_F(ChatCommandLine, ACallLeftByAChatIsResumedByTheOtherCommand) {
  const std::string script = kTwo + std::string(kChange) + R"({"text": "Three."})";
  (void)chat_script(script, {line("a"), line("b"), line("c"), line("l")}, {"--tools", "change"});
  const SessionState waiting = state();
  ASSERT_EQ(waiting.interrupts.size(), 1U);
  const Ran resumed = run_in(
      environment_, {"resume", "s", "--answer", waiting.interrupts[0].id.str() + "=approve"});
  EXPECT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_EQ(resumed.out, "Three.\n");
  EXPECT_EQ(changes_, 1);
}

TEST_F(ChatCommandLine, AMessageGoesOnWithoutWhatWaits) {
  const Ran ran = chat_script(std::string(kChange) + kTwo, {line("a"), line("l"), line("b")},
                              {"--tools", "change"});
  EXPECT_EQ(ran.out, "One.\n");
  EXPECT_EQ(changes_, 0);
}

TEST_F(ChatCommandLine, APipeThatEndsAtAQuestionSaysSo) {
  environment_.lines.is_interactive = false;
  EXPECT_EQ(chat_script(std::string(kChange) + kTwo, {line("a")}, {"--tools", "change"}).code, 3);
  EXPECT_EQ(changes_, 0);
}

TEST_F(ChatCommandLine, EachOfSeveralCallsIsAskedAbout) {
  const std::string script =
      R"({"tool_calls": [{"name": "change", "arguments": {}}, {"name": "change", "arguments": {}}]})"
      "\n" +
      std::string(kTwo);
  const Ran ran =
      chat_script(script, {line("a"), line("y"), line("n"), line("")}, {"--tools", "change"});
  EXPECT_EQ(ran.out, "One.\n");
  EXPECT_EQ(changes_, 1);
}

TEST_F(ChatCommandLine, AnswersCountThoughAnotherIsLeft) {
  const std::string script =
      R"({"tool_calls": [{"name": "change", "arguments": {}}, {"name": "change", "arguments": {}}]})"
      "\n" +
      std::string(kTwo);
  (void)chat_script(script, {line("a"), line("y"), line("l")}, {"--tools", "change"});
  EXPECT_EQ(state().interrupts.size(), 1U);
  EXPECT_EQ(chat({line("y")}).out, "One.\n");
  EXPECT_EQ(changes_, 2);
}

TEST_F(ChatCommandLine, ChangedRulesAreAskedAboutBeforeACallRuns) {
  const std::string script = std::string(kChange) + kTwo;
  (void)chat_script(script, {line("a"), line("l")}, {"--tools", "change"});
  const Ran refused = chat({line("y"), line("n")}, {"--ask", "*"});
  EXPECT_EQ(changes_, 0);
  EXPECT_THAT(refused.err, HasSubstr("go on with tools and rules as they are now?"));
  // Under other rules the call has to be approved again.
  const Ran again = chat({line("y"), line("y"), line("y")}, {"--ask", "*"});
  EXPECT_EQ(changes_, 1);
  EXPECT_EQ(again.out, "One.\n");
}

// Sessions.

TEST_F(ChatCommandLine, ASessionThatIsContinuedIsShownAndHasItsSettings) {
  (void)chat_script(kTwo, {line("Green tea?"), line("/tools look"), line("b")},
                    {"--system", "Be."});
  environment_.requests.clear();
  const Ran ran = chat({line("/system"), line("/session")});
  EXPECT_THAT(ran.err, AllOf(HasSubstr("> Green tea?\nOne.\n> b\nTwo.\n"), HasSubstr("Be.\n"),
                             HasSubstr("tools     look\n")));
  EXPECT_EQ(environment_.requests.at(0).kind, ModelKind::kScript);
  EXPECT_EQ(environment_.requests.at(0).skip_replies, 2U);
}

TEST_F(ChatCommandLine, FlagsComeBeforeASessionsSettings) {
  (void)chat_script(kTwo, {line("a")}, {"--system", "Be."});
  environment_.requests.clear();
  const Ran ran = chat({line("/system")}, {"--system", "Do.", "--model", "scripted:other"});
  EXPECT_THAT(ran.err, HasSubstr("Do.\n"));
  EXPECT_EQ(environment_.requests.at(0).skip_replies, 0U);
}

TEST_F(ChatCommandLine, ASessionWithoutAnAnswerSaysHowToGoOn) {
  (void)chat_script(R"({"error": {"code": "unavailable", "message": "gone"}})", {line("a")});
  EXPECT_THAT(chat({}).err, HasSubstr("no answer: /continue goes on with it"));
}

TEST_F(ChatCommandLine, ABadSessionIdIsBadUsage) {
  EXPECT_EQ(run_in(environment_, {"chat", "--session", "../x"}).code, 2);
}

TEST_F(ChatCommandLine, APipeIsToldItsSession) {
  environment_.lines.is_interactive = false;
  environment_.script = kTwo;
  environment_.lines.lines = {line("a")};
  const Ran ran = run_in(environment_, {"chat", "--model", "scripted:x"});
  EXPECT_EQ(ran.out, "One.\n");
  EXPECT_THAT(ran.err, ::testing::StartsWith("session: "));
  EXPECT_THAT(ran.err, Not(HasSubstr("tokens")));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "sessions.db.history"));
}

// Commands.

TEST_F(ChatCommandLine, HelpListsTheCommands) {
  EXPECT_THAT(chat_script(kTwo, {line("/help")}).err, HasSubstr("/save FILE"));
}

TEST_F(ChatCommandLine, AnUnknownCommandSaysNothingToTheModel) {
  const Ran ran = chat_script(kTwo, {line("/sav x")});
  EXPECT_THAT(ran.err, HasSubstr("did you mean /save?"));
  EXPECT_EQ(sessions(), 0U);
}

TEST_F(ChatCommandLine, AnotherModelServesTheNextTurn) {
  std::ofstream(folder_.path() / "small.gguf") << "x";
  const Ran ran = chat_script(kTwo, {line("a"), line("/model small"), line("b"), line("/model")});
  ASSERT_EQ(environment_.requests.size(), 2U);
  EXPECT_EQ(environment_.requests[1].name, "small");
  // The fake plays its script from the first line again.
  EXPECT_EQ(ran.out, "One.\nOne.\n");
  EXPECT_THAT(ran.err, HasSubstr("* small\n"));
  EXPECT_EQ(state().transcript.size(), 4U);
}

TEST_F(ChatCommandLine, AModelThatIsNotThereLeavesTheOldOne) {
  std::ofstream(folder_.path() / "small.gguf") << "x";
  const Ran ran = chat_script(kTwo, {line("/model smal"), line("a")});
  EXPECT_THAT(ran.err, HasSubstr("did you mean small?"));
  EXPECT_EQ(ran.out, "One.\n");
}

TEST_F(ChatCommandLine, ModelsAreListed) {
  std::ofstream(folder_.path() / "small.gguf") << "x";
  const Ran ran = chat_script(kTwo, {line("/model")});
  EXPECT_THAT(ran.err, AllOf(HasSubstr("  small\n"), HasSubstr("* scripted:"),
                             HasSubstr(folder_.path().string())));
}

TEST_F(ChatCommandLine, ToolsAreChosenListedAndTakenAway) {
  const Ran ran =
      chat_script(std::string(kLook) + kTwo, {line("/tools look, change"), line("/tools"),
                                              line("a"), line("/tools none"), line("/tools")});
  EXPECT_THAT(ran.err,
              AllOf(HasSubstr("tools: look, change\n"), HasSubstr("* look"), HasSubstr("* change"),
                    HasSubstr("tools: none\n"), HasSubstr("  look")));
  EXPECT_EQ(ran.out, "One.\n");
  EXPECT_EQ(state().run->started.tool_fingerprints.size(), 2U);
}

TEST_F(ChatCommandLine, AToolThatIsNotThereChangesNothing) {
  const Ran ran = chat_script(kTwo, {line("/tools look"), line("/tools lok"), line("a")});
  EXPECT_THAT(ran.err, HasSubstr("did you mean look?"));
  EXPECT_EQ(state().run->started.tool_fingerprints.size(), 1U);
}

TEST_F(ChatCommandLine, TheSystemTextIsSetAndTakenAway) {
  const Ran ran = chat_script(kTwo, {line("/system"), line("/system Be brief."), line("/system"),
                                     line("/system none"), line("/system")});
  EXPECT_THAT(ran.err, AllOf(HasSubstr("(nothing)\nfrom the next message on\nBe brief.\n"
                                       "from the next message on\n(nothing)\n")));
}

TEST_F(ChatCommandLine, ResetBeginsASessionAndTheOldOneStays) {
  const Ran ran = chat_script(std::string(kChange) + kChange + kTwo,
                              {line("a"), line("y"), line("/reset"), line("b"), line("/quit")},
                              {"--tools", "change", "--allow", "change", "--max-steps", "1"});
  EXPECT_THAT(ran.err, HasSubstr("the old one stays: ingle chat --session s\nsession: "));
  EXPECT_EQ(sessions(), 2U);
}

TEST_F(ChatCommandLine, SaveWritesMarkdownOrJsonAndAsksBeforeItOverwrites) {
  const auto path = [this](const char* name) { return folder_.path() / name; };
  const auto content = [](const std::filesystem::path& file) {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  std::ofstream(path("there.md")) << "mine";
  const Ran ran = chat_script(
      kTwo, {line("/save " + path("early.md").string()), line("Tea?"),
             line("/save " + path("a.md").string()), line("/save " + path("a.json").string()),
             line("/save " + path("there.md").string()), line("n"),
             line("/save " + path("none/a.md").string())});
  EXPECT_THAT(ran.err, AllOf(HasSubstr("nothing to save yet"), HasSubstr("overwrite it?"),
                             HasSubstr("not saved"), HasSubstr("cannot write ")));
  EXPECT_FALSE(std::filesystem::exists(path("early.md")));
  EXPECT_THAT(content(path("a.md")), HasSubstr("## You\n\nTea?\n\n## Assistant\n\nOne.\n"));
  EXPECT_EQ(json::parse(content(path("a.json"))).at("messages").size(), 2U);
  EXPECT_EQ(content(path("there.md")), "mine");
  (void)chat({line("/save " + path("there.md").string()), line("y")});
  EXPECT_THAT(content(path("there.md")), HasSubstr("Tea?"));
}

TEST_F(ChatCommandLine, SaveKnowsTheHomeFolder) {
  environment_.variables["HOME"] = folder_.path().string();
  (void)chat_script(kTwo, {line("a"), line("/save ~/talk.md")});
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "talk.md"));
}

TEST_F(ChatCommandLine, WhatWasEnteredIsThereNextTime) {
  (void)chat_script(kTwo, {line("a"), line("/help"), line("/help")});
  EXPECT_THAT(environment_.lines.remembered, ::testing::ElementsAre("a", "/help"));
  environment_.lines.remembered.clear();
  (void)chat({});
  EXPECT_THAT(environment_.lines.remembered, ::testing::ElementsAre("a", "/help"));
}

TEST_F(ChatCommandLine, AnswersToQuestionsAreNotRemembered) {
  (void)chat_script(std::string(kChange) + kTwo, {line("a"), line("n"), line("secret")},
                    {"--tools", "change"});
  EXPECT_THAT(environment_.lines.remembered, ::testing::ElementsAre("a"));
}

TEST_F(ChatCommandLine, AnEndWithinAMessageIsSaid) {
  const Ran ran = chat_script(kTwo, {line("\"\"\""), line("half")});
  EXPECT_THAT(ran.err, HasSubstr("it was not sent"));
  EXPECT_EQ(sessions(), 0U);
}

TEST_F(ChatCommandLine, WhatIsNoTextIsRefused) {
  EXPECT_THAT(chat_script(kTwo, {line("a\xff")}).err, HasSubstr("not UTF-8"));
  EXPECT_EQ(sessions(), 0U);
}

}  // namespace
}  // namespace ingle::cli
