#include "ingle/agent/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "agent/agent_fixture.h"
#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

using ::testing::ElementsAre;
using testing::HasReason;
using ::testing::HasSubstr;

template <class T>
const T& as(const RunReport& report) {
  const T* outcome = std::get_if<T>(&report.outcome);
  INGLE_CHECK(outcome != nullptr, outcome_name(report.outcome));
  return *outcome;
}

constexpr std::string_view kCallThenAnswer = R"({"tool_calls":[{"name":"look","arguments":{"x":1}}]}
{"text":"It is one."})";

TEST(Run, PlainAnswerCompletes) {
  const Agent agent = make_agent(scripted(R"({"text":"Hello."})"));
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent);
  EXPECT_EQ(as<Completed>(report).text, "Hello.");
  EXPECT_EQ(report.used.model_calls, 1);
  EXPECT_EQ(report.used.tool_calls, 0);
}

TEST(Run, ToolRunsAndItsResultReachesTheModel) {
  auto tool = read_only_tool("look");
  auto model = scripted(kCallThenAnswer);
  const Agent agent = make_agent(model, {tool});
  Conversation conversation(agent);
  EXPECT_EQ(as<Completed>(conversation.ask(agent)).text, "It is one.");
  EXPECT_EQ(tool->runs, 1);
  const Message last = model->prompts().at(1).messages.back();
  EXPECT_EQ(last.role, Role::kTool);
  EXPECT_EQ(last.text(), "ran look");
}

TEST(Run, EveryEventCountsOnAndTheLastOneIsTheEnd) {
  const Agent agent = make_agent(scripted(kCallThenAnswer), {read_only_tool("look")});
  Conversation conversation(agent);
  conversation.ask(agent);
  std::int64_t seq = 0;
  std::int64_t ends = 0;
  for (const Event& event : conversation.events()) {
    EXPECT_EQ(event.seq, ++seq);
    ends += std::holds_alternative<RunEnded>(event.body) ? 1 : 0;
  }
  EXPECT_EQ(ends, 1);
  EXPECT_TRUE(std::holds_alternative<RunEnded>(conversation.events().back().body));
}

TEST(Run, IntentIsLoggedBeforeTheTool) {
  auto tool = read_only_tool("look");
  const Agent agent = make_agent(scripted(kCallThenAnswer), {tool});
  Conversation conversation(agent);
  std::string last_type;
  tool->on_run = [&](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
    last_type = event_type(conversation.events().back().body);
    return ToolValue{.text = "seen"};
  };
  conversation.ask(agent);
  EXPECT_EQ(last_type, "tool_started");
}

TEST(Run, InstructionsAreShownAndNotStored) {
  auto model = scripted(R"({"text":"Hello."})");
  const Agent agent = make_agent(model, {}, {.instructions = "Be brief."});
  Conversation conversation(agent);
  conversation.ask(agent);
  EXPECT_EQ(model->prompts().at(0).messages.front().text(), "Be brief.");
  EXPECT_EQ(conversation.state().transcript.front().role, Role::kUser);
}

TEST(Run, UnknownToolAndBadArgumentsAreToldToTheModel) {
  auto tool = read_only_tool("look");
  const Agent agent = make_agent(
      scripted(
          R"({"tool_calls":[{"name":"lok","arguments":{}},{"name":"look","arguments":{"x":"one"}},{"name":"look","arguments":"{\"x\":"}]})"
          "\n"
          R"({"text":"Sorry."})"),
      {tool});
  Conversation conversation(agent);
  conversation.ask(agent);
  EXPECT_EQ(tool->runs, 0);
  EXPECT_THAT(conversation.results(),
              ElementsAre(HasSubstr("look"), HasSubstr("/x"), HasSubstr("JSON")));
}

TEST(Run, ThrowingToolIsAnErrorResult) {
  auto tool = read_only_tool("look");
  tool->on_run = [](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
    throw std::runtime_error("the disk is on fire");
  };
  const Agent agent = make_agent(scripted(kCallThenAnswer), {tool});
  Conversation conversation(agent);
  as<Completed>(conversation.ask(agent));
  EXPECT_THAT(conversation.results(), ElementsAre(HasSubstr("the disk is on fire")));
}

TEST(Run, LongResultIsCutWithNotice) {
  auto tool = read_only_tool("look");
  tool->on_run = [](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
    return ToolValue{.text = std::string(5000, 'a')};
  };
  const Agent agent = make_agent(scripted(kCallThenAnswer), {tool}, {.max_result_bytes = 100});
  Conversation conversation(agent);
  conversation.ask(agent);
  const std::string result = conversation.results().at(0);
  EXPECT_LT(result.size(), 200U);
  EXPECT_THAT(result, HasSubstr("[cut: the first 100 of 5000 bytes are shown]"));
}

TEST(Run, CallIdsAreUniqueWhateverTheModelSays) {
  const Agent agent = make_agent(
      scripted(
          R"({"tool_calls":[{"name":"look","arguments":{},"id":"a"},{"name":"look","arguments":{},"id":"a"},{"name":"look","arguments":{}}]})"
          "\n"
          R"({"tool_calls":[{"name":"look","arguments":{},"id":"a"}]})"
          "\n"
          R"({"text":"Done."})"),
      {read_only_tool("look")});
  Conversation conversation(agent);
  conversation.ask(agent);
  std::set<std::string> ids;
  for (const Message& message : conversation.state().transcript) {
    for (const ToolCall& call : message.tool_calls) {
      EXPECT_TRUE(ids.insert(call.id.str()).second) << call.id.str();
    }
  }
  EXPECT_EQ(ids.size(), 4U);
}

TEST(Run, DeniedCallGetsAResultAndTheRunGoesOn) {
  auto tool = read_only_tool("look");
  const Agent agent =
      make_agent(scripted(kCallThenAnswer), {tool},
                 {.policy = make_policy({{.tools = "lo*", .effect = GateEffect::kDeny}})});
  Conversation conversation(agent);
  as<Completed>(conversation.ask(agent));
  EXPECT_EQ(tool->runs, 0);
  EXPECT_THAT(conversation.results(), ElementsAre(HasSubstr("not allowed")));
}

TEST(Run, WritingToolWaitsForAPersonAndNothingOfItsBatchRuns) {
  auto look = read_only_tool("look");
  auto write = writing_tool("write");
  const Agent agent = make_agent(
      scripted(
          R"({"tool_calls":[{"name":"look","arguments":{}},{"name":"write","arguments":{"x":2}}]})"
          "\n"
          R"({"text":"Written."})"),
      {look, write});
  Conversation conversation(agent);
  const RunReport asked = conversation.ask(agent);
  ASSERT_EQ(as<Interrupted>(asked).interrupts.size(), 1U);
  EXPECT_EQ(look->runs, 0);
  EXPECT_EQ(write->runs, 0);

  const RunReport done = conversation.go_on(
      agent,
      {{.id = as<Interrupted>(asked).interrupts.front(), .decision = InterruptDecision::kApprove}});
  EXPECT_EQ(as<Completed>(done).text, "Written.");
  EXPECT_EQ(look->runs, 1);
  EXPECT_EQ(write->runs, 1);
  EXPECT_EQ(done.run, asked.run);
}

TEST(Run, RejectionAndItsReasonReachTheModel) {
  auto write = writing_tool("write");
  auto model = scripted(R"({"tool_calls":[{"name":"write","arguments":{}}]}
{"text":"Then not."})");
  const Agent agent = make_agent(model, {write});
  Conversation conversation(agent);
  const RunReport asked = conversation.ask(agent);
  const RunReport done = conversation.go_on(
      agent, {{.id = as<Interrupted>(asked).interrupts.front(), .text = "Not on a Sunday."}});
  EXPECT_EQ(as<Completed>(done).text, "Then not.");
  EXPECT_EQ(write->runs, 0);
  EXPECT_THAT(model->prompts().at(1).messages.back().text(), HasSubstr("Not on a Sunday."));
}

TEST(Run, ResumeWithoutAnswersAsksAgain) {
  const Agent agent = make_agent(scripted(R"({"tool_calls":[{"name":"write","arguments":{}}]})"),
                                 {writing_tool("write")});
  Conversation conversation(agent);
  const RunReport asked = conversation.ask(agent);
  EXPECT_EQ(as<Interrupted>(conversation.go_on(agent)), as<Interrupted>(asked));
}

TEST(Run, AnswerThatFitsNothingChangesNothing) {
  const Agent agent = make_agent(scripted(R"({"tool_calls":[{"name":"write","arguments":{}}]})"),
                                 {writing_tool("write")});
  Conversation conversation(agent);
  const RunReport asked = conversation.ask(agent);
  const InterruptId id = as<Interrupted>(asked).interrupts.front();
  const auto before = conversation.events().size();
  EXPECT_THAT(resume({}, agent, conversation.store, conversation.session,
                     {{.id = InterruptId("ask_99"), .decision = InterruptDecision::kApprove}}),
              HasReason("answer_unknown"));
  EXPECT_THAT(resume({}, agent, conversation.store, conversation.session, {{.id = id}, {.id = id}}),
              HasReason("answer_duplicate"));
  EXPECT_EQ(conversation.events().size(), before);
}

TEST(Run, PendingCallOfAChangedPolicyIsRefusedUnlessAccepted) {
  auto write = writing_tool("write");
  const std::string_view script = R"({"tool_calls":[{"name":"write","arguments":{}}]}
{"text":"Written."})";
  auto model = scripted(script);
  const Agent before = make_agent(model, {write});
  Conversation conversation(before);
  const RunReport asked = conversation.ask(before);
  const std::vector<InterruptAnswer> yes{
      {.id = as<Interrupted>(asked).interrupts.front(), .decision = InterruptDecision::kApprove}};
  const Agent after = make_agent(
      model, {write}, {.policy = make_policy({{.tools = "other", .effect = GateEffect::kAllow}})});
  EXPECT_THAT(resume({}, after, conversation.store, conversation.session, yes),
              HasReason("tool_changed"));

  // Accepting the change is not approving the call: it is asked about again.
  const RunReport again = conversation.go_on(after, yes, {.accept_changes = true});
  EXPECT_EQ(write->runs, 0);
  const RunReport done = conversation.go_on(
      after,
      {{.id = as<Interrupted>(again).interrupts.front(), .decision = InterruptDecision::kApprove}});
  EXPECT_EQ(as<Completed>(done).text, "Written.");
  EXPECT_EQ(write->runs, 1);
}

TEST(Run, ModelCallLimitStopsBeforeTheNextCall) {
  const Agent agent = make_agent(scripted(kCallThenAnswer), {read_only_tool("look")});
  Conversation conversation(agent);
  const RunReport report =
      conversation.ask(agent, "question", {.limits = Limits{.model_calls = 1}});
  EXPECT_EQ(as<Stopped>(report), (Stopped{LimitKind::kModelCalls, 1, 1}));
  EXPECT_EQ(conversation.results().size(), 1U);  // What the last allowed call asked for did run.
}

TEST(Run, AnswerOnTheLastAllowedCallIsTheAnswer) {
  const Agent agent = make_agent(scripted(kCallThenAnswer), {read_only_tool("look")});
  Conversation conversation(agent);
  as<Completed>(conversation.ask(agent, "question", {.limits = Limits{.model_calls = 2}}));
}

TEST(Run, BatchOverTheToolLimitDoesNotBegin) {
  auto look = read_only_tool("look");
  const Agent agent = make_agent(
      scripted(R"({"tool_calls":[{"name":"look","arguments":{}},{"name":"look","arguments":{}}]})"),
      {look});
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent, "question", {.limits = Limits{.tool_calls = 1}});
  EXPECT_EQ(as<Stopped>(report).limit, LimitKind::kToolCalls);
  EXPECT_EQ(look->runs, 0);
  EXPECT_THAT(conversation.results(), ElementsAre(HasSubstr("Not run"), HasSubstr("Not run")));
}

TEST(Run, TokenLimitStops) {
  const Agent agent = make_agent(
      scripted(
          R"({"tool_calls":[{"name":"look","arguments":{}}],"usage":{"prompt_tokens":60,"completion_tokens":40}})"),
      {read_only_tool("look")});
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent, "question", {.limits = Limits{.tokens = 100}});
  EXPECT_EQ(as<Stopped>(report), (Stopped{LimitKind::kTokens, 100, 100}));
}

TEST(Run, StepsOfErrorsOnlyStop) {
  std::string script;
  for (int i = 0; i < 5; ++i) {
    script += R"({"tool_calls":[{"name":"nothing","arguments":{}}]})"
              "\n";
  }
  const Agent agent = make_agent(scripted(script), {read_only_tool("look")});
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent);
  EXPECT_EQ(as<Stopped>(report), (Stopped{LimitKind::kErrorSteps, 3, 3}));
  EXPECT_EQ(report.used.model_calls, 3);
}

TEST(Run, UntilToolEndsWithItsResultAndItsSiblingsRun) {
  auto look = read_only_tool("look");
  auto finish = read_only_tool("finish");
  const Agent agent = make_agent(
      scripted(
          R"({"tool_calls":[{"name":"finish","arguments":{"x":7}},{"name":"look","arguments":{}}]})"),
      {look, finish});
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent, "question", {.until = {.names = {"finish"}}});
  EXPECT_EQ(as<ToolResultOutcome>(report).tool, "finish");
  EXPECT_EQ(as<ToolResultOutcome>(report).text, "ran finish");
  EXPECT_EQ(as<ToolResultOutcome>(report).arguments.dump(), R"({"x":7})");
  EXPECT_EQ(look->runs, 1);
}

TEST(Run, UntilToolNeverCalledFails) {
  const Agent agent = make_agent(scripted(R"({"text":"No."})"), {read_only_tool("finish")});
  Conversation conversation(agent);
  const RunReport report = conversation.ask(agent, "question", {.until = {.names = {"finish"}}});
  EXPECT_EQ(as<Failed>(report).error.reason, "until_tool_not_called");
  EXPECT_THAT(as<Failed>(report).error.message, HasSubstr("finish"));
}

TEST(Run, UntilToolSuccessGoesOnOverAnError) {
  auto finish = read_only_tool("finish");
  finish->on_run = [&](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
    if (finish->runs == 1) {
      return ToolFailure{"not yet"};
    }
    return ToolValue{.text = "now"};
  };
  const Agent agent = make_agent(scripted(R"({"tool_calls":[{"name":"finish","arguments":{"x":1}}]}
{"tool_calls":[{"name":"finish","arguments":{"x":2}}]})"),
                                 {finish});
  Conversation conversation(agent);
  const RunReport report = conversation.ask(
      agent, "question", {.until = {.names = {"finish"}, .require_success = true}});
  EXPECT_EQ(as<ToolResultOutcome>(report).text, "now");
}

TEST(Run, UntilToolsNeedNoRepetitionOnResume) {
  const Agent agent =
      make_agent(scripted(R"({"tool_calls":[{"name":"write","arguments":{"x":7}}]})"),
                 {read_only_tool("finish"), writing_tool("write")});
  Conversation conversation(agent);
  const RunReport asked =
      conversation.ask(agent, "question", {.until = {.names = {"finish", "write"}}});
  const RunReport done = conversation.go_on(
      agent,
      {{.id = as<Interrupted>(asked).interrupts.front(), .decision = InterruptDecision::kApprove}});
  EXPECT_EQ(as<ToolResultOutcome>(done).tool, "write");
  EXPECT_EQ(as<ToolResultOutcome>(done).text, "ran write");
}

TEST(Run, UnknownUntilToolIsRefusedBeforeAnythingHappens) {
  const Agent agent = make_agent(scripted(""), {read_only_tool("finish")});
  Conversation conversation(agent);
  const auto refused = run({}, agent, conversation.store, conversation.session, "question",
                           {.until = {.names = {"finish", "end"}}});
  EXPECT_THAT(refused, HasReason("until_tool_unknown"));
  EXPECT_THAT(refused.error().message, HasSubstr("end"));
  EXPECT_EQ(conversation.events().size(), 1U);
}

TEST(Run, PauseKeepsWhatIsPendingAndResumeGoesOnWithIt) {
  auto look = read_only_tool("look");
  const Agent agent = make_agent(scripted(kCallThenAnswer), {look});
  Conversation conversation(agent);
  const RunReport paused = conversation.ask(
      agent, "question", {.should_pause = [] { return std::optional<std::string>("draining"); }});
  EXPECT_EQ(as<Paused>(paused).reason, "draining");
  EXPECT_EQ(look->runs, 0);
  const RunReport done = conversation.go_on(agent);
  EXPECT_EQ(as<Completed>(done).text, "It is one.");
  EXPECT_EQ(look->runs, 1);
  EXPECT_EQ(done.used.model_calls, 2);
}

TEST(Run, AnswerThatHasArrivedIsNotPaused) {
  const Agent agent = make_agent(scripted(R"({"text":"Hello."})"));
  Conversation conversation(agent);
  as<Completed>(conversation.ask(
      agent, "question", {.should_pause = [] { return std::optional<std::string>("draining"); }}));
}

TEST(Run, ModelErrorFailsWithItsCause) {
  const Agent agent = make_agent(
      scripted(R"({"error":{"code":"unavailable","reason":"gone","message":"no server"}})"));
  Conversation conversation(agent);
  EXPECT_EQ(as<Failed>(conversation.ask(agent)).error.reason, "gone");
}

TEST(Run, CancelledBeforeItBeganCallsNothing) {
  auto model = scripted(R"({"text":"Hello."})");
  const Agent agent = make_agent(model);
  Conversation conversation(agent);
  CancelSource cancel;
  cancel.cancel(CancelReason::kShutdown);
  auto report = run({.stop = cancel.token()}, agent, conversation.store, conversation.session,
                    "question", {.cancel = cancel});
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(as<Cancelled>(*report).reason, CancelReason::kShutdown);
  EXPECT_TRUE(model->prompts().empty());
}

TEST(Run, CancelledByAToolLeavesNoCallWithoutResult) {
  CancelSource cancel;
  auto look = read_only_tool("look");
  look->on_run = [&](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
    cancel.cancel(CancelReason::kUser);
    return ToolValue{.text = "first"};
  };
  const Agent agent = make_agent(
      scripted(R"({"tool_calls":[{"name":"look","arguments":{}},{"name":"look","arguments":{}}]})"),
      {look});
  Conversation conversation(agent);
  auto report = run({.stop = cancel.token()}, agent, conversation.store, conversation.session,
                    "question", {.cancel = cancel});
  ASSERT_TRUE(report.ok());
  as<Cancelled>(*report);
  EXPECT_EQ(look->runs, 1);
  EXPECT_THAT(conversation.results(), ElementsAre("first", HasSubstr("Not run")));
}

TEST(Run, DeadlineThatHasPassedIsCancelled) {
  const Agent agent = make_agent(scripted(R"({"text":"Hello."})"));
  Conversation conversation(agent);
  auto report = run({.deadline = Deadline::after(std::chrono::seconds(-1))}, agent,
                    conversation.store, conversation.session, "question");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(as<Cancelled>(*report).reason, CancelReason::kDeadline);
}

TEST(Run, WallTimeThatIsUsedUpStops) {
  const Agent agent = make_agent(scripted(R"({"text":"Hello."})"));
  Conversation conversation(agent);
  const RunReport report = conversation.ask(
      agent, "question", {.limits = Limits{.wall_time = std::chrono::milliseconds(0)}});
  EXPECT_EQ(as<Stopped>(report).limit, LimitKind::kWallTime);
}

TEST(Run, ToolsChangeTheSharedStateInCallOrder) {
  auto look = read_only_tool("look");
  look->on_run = [](const Call&, const ToolContext& context, const Json& arguments) -> ToolOutcome {
    EXPECT_EQ(context.shared.dump(), "{}");  // Both see the state from before the batch.
    auto patch = parse_json(R"({"last":)" + arguments.dump() + "}");
    return ToolValue{.text = "set", .state_change = std::move(patch).value()};
  };
  const Agent agent = make_agent(
      scripted(
          R"({"tool_calls":[{"name":"look","arguments":{"x":1}},{"name":"look","arguments":{"x":2}}]})"
          "\n"
          R"({"text":"Done."})"),
      {look});
  Conversation conversation(agent);
  conversation.ask(agent);
  EXPECT_EQ(conversation.state().shared.dump(), R"({"last":{"x":2}})");
}

TEST(Run, StateChangeThatIsNoObjectIsAnErrorAndTheSessionStaysReadable) {
  auto look = read_only_tool("look");
  look->on_run = [](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
    return ToolValue{.text = "set", .state_change = parse_json("[1]").value()};
  };
  const Agent agent = make_agent(scripted(kCallThenAnswer), {look});
  Conversation conversation(agent);
  as<Completed>(conversation.ask(agent));
  EXPECT_EQ(conversation.state().shared.dump(), "{}");
  EXPECT_THAT(conversation.results(), ElementsAre(HasSubstr("not a JSON object")));
}

TEST(Run, NewMessageClosesWhatWasPending) {
  auto write = writing_tool("write");
  const Agent agent = make_agent(scripted(R"({"tool_calls":[{"name":"write","arguments":{}}]}
{"text":"Another thing, then."})"),
                                 {write});
  Conversation conversation(agent);
  as<Interrupted>(conversation.ask(agent));
  EXPECT_EQ(as<Completed>(conversation.ask(agent, "never mind")).text, "Another thing, then.");
  EXPECT_EQ(write->runs, 0);
  EXPECT_TRUE(conversation.state().interrupts.empty());
  EXPECT_THAT(conversation.results(), ElementsAre(HasSubstr("Not run")));
}

TEST(Run, NothingToResumeIsSaid) {
  const Agent agent = make_agent(scripted(R"({"text":"Hello."})"));
  Conversation conversation(agent);
  conversation.ask(agent);
  EXPECT_THAT(resume({}, agent, conversation.store, conversation.session),
              HasReason("nothing_to_resume"));
}

TEST(Run, ResumeAfterAFailureAsksTheModelAgain) {
  const Agent agent = make_agent(scripted(R"({"error":{"code":"unavailable"}}
{"text":"Hello."})"));
  Conversation conversation(agent);
  as<Failed>(conversation.ask(agent));
  EXPECT_EQ(as<Completed>(conversation.go_on(agent)).text, "Hello.");
}

TEST(Run, EmptyMessageIsRefused) {
  const Agent agent = make_agent(scripted(""));
  Conversation conversation(agent);
  EXPECT_THAT(run({}, agent, conversation.store, conversation.session, ""),
              HasReason("message_empty"));
}

TEST(Run, ReplyWithoutTextIsNoOlderAnswer) {
  const Agent agent = make_agent(scripted(R"({"text":"Hello."}
{"text":""})"));
  Conversation conversation(agent);
  EXPECT_EQ(as<Completed>(conversation.ask(agent)).text, "Hello.");
  EXPECT_EQ(as<Completed>(conversation.ask(agent, "and now?")).text, "");
}

TEST(Run, CutAnswerSaysSo) {
  const Agent agent = make_agent(scripted(R"({"text":"And then","finish_reason":"length"})"));
  Conversation conversation(agent);
  EXPECT_EQ(as<Completed>(conversation.ask(agent)).finish_reason, FinishReason::kLength);
}

}  // namespace
}  // namespace ingle
