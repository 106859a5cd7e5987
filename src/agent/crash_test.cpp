// Guarantee 4: kill the process at any write. The session opens, what it holds is a prefix of the
// same run, the run can be brought to its end, and no tool that is not idempotent ran twice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/agent_fixture.h"
#include "ingle/session/views.h"
#include "ingle/testing/faulty_store.h"
#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

constexpr std::string_view kScript =
    R"({"tool_calls":[{"name":"look","arguments":{"x":1}},{"name":"write","arguments":{"x":2}}]})"
    "\n"
    R"({"tool_calls":[{"name":"nothing","arguments":{}}]})"
    "\n"
    R"({"tool_calls":[{"name":"write","arguments":{"x":3}},{"name":"look","arguments":{"x":4}}]})"
    "\n"
    R"({"text":"Done."})";

struct Tools {
  std::shared_ptr<CountingTool> look = read_only_tool("look");
  std::shared_ptr<CountingTool> write = writing_tool("write");
};

/// The agent as a new process makes it: its script goes on behind what the log holds.
Agent agent_for(const Tools& tools, std::int64_t replies) {
  auto model = scripted(kScript);
  model->skip(static_cast<std::size_t>(replies));
  return make_agent(model, {tools.look, tools.write},
                    {.policy = make_policy({{.tools = "write", .effect = GateEffect::kAllow}})});
}

SessionState state_of(SessionStore& store, const SessionId& session) {
  auto events = store.read(session, 1);
  INGLE_CHECK(events.ok(), "the session is there");
  auto state = fold(*events);
  INGLE_CHECK(state.ok(), "the log folds");
  return std::move(state).value();
}

void expect_every_call_answered(const SessionState& state) {
  const std::vector<Message> context = context_view(state);
  for (std::size_t i = 0; i < context.size(); ++i) {
    for (std::size_t k = 0; k < context[i].tool_calls.size(); ++k) {
      ASSERT_LT(i + 1 + k, context.size());
      EXPECT_EQ(context[i + 1 + k].tool_call_id, context[i].tool_calls[k].id);
    }
  }
}

/// Resumes as a person would who answers "it happened" to each unknown outcome.
Outcome bring_to_end(SessionStore& store, const SessionId& session, const Tools& tools,
                     int& unknown) {
  for (int round = 0; round < 10; ++round) {
    const SessionState state = state_of(store, session);
    std::vector<InterruptAnswer> answers;
    for (const InterruptRaised& interrupt : state.interrupts) {
      EXPECT_EQ(interrupt.kind, InterruptKind::kUnknownOutcome);
      ++unknown;
      answers.push_back(
          {.id = interrupt.id, .decision = InterruptDecision::kRespond, .text = "it happened"});
    }
    const Agent agent = agent_for(tools, state.replies);
    auto report = state.run ? resume({}, agent, store, session, answers)
                            : run({}, agent, store, session, "question");
    INGLE_CHECK(report.ok(), report.ok() ? "" : report.error().message);
    if (!is_resumable(report->outcome)) {
      return report->outcome;
    }
  }
  return Failed{};
}

class CrashAtEveryWrite : public ::testing::TestWithParam<bool> {};

TEST_P(CrashAtEveryWrite, RunReachesItsEndAndNothingRanTwice) {
  const bool is_stored = GetParam();
  std::int64_t writes = 0;
  for (std::int64_t at = 1; at <= 40; ++at) {
    SCOPED_TRACE("crash at write " + std::to_string(at));
    MemoryStore memory;
    testing::FaultyStore store(memory);
    const SessionId session("crash");
    const SystemClock clock;
    const Tools tools;
    ASSERT_TRUE(create_session(memory, session, agent_for(tools, 0), clock).ok());

    store.plan({.append = at, .is_stored = is_stored, .is_lasting = true});
    (void)run({}, agent_for(tools, 0), store, session, "question");
    writes = store.appends();
    const SessionState crashed = state_of(memory, session);

    int unknown = 0;
    if (crashed.run && crashed.run->outcome) {
      break;  // The run was over before this write: all of them have been tried.
    }
    const Outcome outcome = bring_to_end(memory, session, tools, unknown);
    EXPECT_EQ(outcome_name(outcome), "completed");
    const SessionState ended = state_of(memory, session);
    ASSERT_GE(ended.transcript.size(), crashed.transcript.size());
    for (std::size_t i = 0; i < crashed.transcript.size(); ++i) {
      if (crashed.transcript[i].role != Role::kTool) {
        EXPECT_EQ(ended.transcript[i].role, crashed.transcript[i].role);
      }
    }
    expect_every_call_answered(ended);
    // Twice in the script; each time at most once - and not at all only where a person said it
    // happened.
    EXPECT_LE(tools.write->runs, 2);
    EXPECT_GE(tools.write->runs + unknown, 2);
  }
  EXPECT_GT(writes, 10);
}

INSTANTIATE_TEST_SUITE_P(Stored, CrashAtEveryWrite, ::testing::Values(false, true),
                         [](const auto& param_info) { return param_info.param ? "Yes" : "No"; });

TEST(Crash, IdempotentToolRunsAgainAndTheLogSaysSo) {
  MemoryStore memory;
  testing::FaultyStore store(memory);
  const SessionId session("crash");
  const SystemClock clock;
  const Tools tools;
  ASSERT_TRUE(create_session(memory, session, agent_for(tools, 0), clock).ok());
  // The tool's start is stored; the process dies before its result is.
  tools.look->on_run = [&](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
    store.plan({.append = 1, .is_lasting = true});
    return ToolValue{.text = "lost"};
  };
  (void)run({}, agent_for(tools, 0), store, session, "question");
  tools.look->on_run = {};
  int unknown = 0;
  EXPECT_EQ(outcome_name(bring_to_end(memory, session, tools, unknown)), "completed");
  EXPECT_EQ(unknown, 0);

  std::vector<std::int64_t> attempts;
  auto events = memory.read(session, 1);
  ASSERT_TRUE(events.ok());
  for (const Event& event : *events) {
    if (const auto* started = std::get_if<ToolStarted>(&event.body)) {
      attempts.push_back(started->attempt);
    }
  }
  EXPECT_THAT(attempts, ::testing::ElementsAre(1, 2, 1, 1, 1));
}

TEST(Crash, SessionWithoutItsFirstEventIsBegun) {
  MemoryStore memory;
  const SessionId session("empty");
  ASSERT_TRUE(memory.create(session).ok());  // ... and then the process died.
  const Tools tools;
  auto report = run({}, agent_for(tools, 3), memory, session, "question");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(outcome_name(report->outcome), "completed");
  EXPECT_EQ(state_of(memory, session).agent, "agent");
}

TEST(Crash, SecondWriterGetsAConflictAndStoresNothing) {
  MemoryStore memory;
  const SessionId session("shared");
  const SystemClock clock;
  const Tools tools;
  ASSERT_TRUE(create_session(memory, session, agent_for(tools, 0), clock).ok());
  // While the first run's tool works, somebody else goes on with the session.
  tools.look->on_run = [&](const Call&, const ToolContext&, const Json&) -> ToolOutcome {
    if (tools.look->runs == 1) {
      EXPECT_TRUE(resume({}, agent_for(tools, 1), memory, session).ok());
    }
    return ToolValue{.text = "seen"};
  };
  auto report = run({}, agent_for(tools, 0), memory, session, "question");
  ASSERT_TRUE(report.ok());
  const auto* failed = std::get_if<Failed>(&report->outcome);
  ASSERT_NE(failed, nullptr);
  EXPECT_EQ(failed->error.reason, "session_conflict");
  EXPECT_EQ(tools.write->runs, 2);
}

}  // namespace
}  // namespace ingle
