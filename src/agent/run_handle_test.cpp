#include "ingle/agent/run_handle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/agent_fixture.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/max_test_wait.h"

namespace ingle {
namespace {

using testing::kMaxTestWait;

std::shared_ptr<SessionStore> store_with(const SessionId& session, const Agent& agent) {
  auto store = std::make_shared<MemoryStore>();
  const SystemClock clock;
  INGLE_CHECK(create_session(*store, session, agent, clock).ok(), "the store takes a session");
  return store;
}

const SessionId kSession("handle");

TEST(RunHandle, GivesEventsAndDeltasInOrderAndThenEnds) {
  const Agent agent = make_agent(scripted(R"({"pieces":["Hel","lo."]})"));
  auto handle = RunHandle::start(agent, store_with(kSession, agent), kSession, "question");
  std::string text;
  std::int64_t seq = 1;
  while (auto update = handle->next({.deadline = Deadline::after(kMaxTestWait)})) {
    if (const auto* event = std::get_if<Event>(&*update)) {
      EXPECT_EQ(event->seq, ++seq);
      EXPECT_TRUE(event_type(event->body) != "model_replied" || text == "Hello.");
    } else if (const auto* delta = std::get_if<TextDelta>(&std::get<Delta>(*update))) {
      text += delta->text;
    }
  }
  EXPECT_EQ(text, "Hello.");
  auto report = handle->wait();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(outcome_name(report->outcome), "completed");
}

TEST(RunHandle, UnreadTextIsJoined) {
  std::string line = R"({"pieces":["a")";
  for (int i = 1; i < 1000; ++i) {
    line += R"(,"a")";
  }
  const Agent agent = make_agent(scripted(line + "]}"));
  auto handle = RunHandle::start(agent, store_with(kSession, agent), kSession, "question");
  ASSERT_TRUE(handle->wait().ok());
  int deltas = 0;
  while (auto update = handle->next()) {
    if (const auto* delta = std::get_if<Delta>(&*update)) {
      ++deltas;
      EXPECT_EQ(std::get<TextDelta>(*delta).text.size(), 1000U);
    }
  }
  EXPECT_EQ(deltas, 1);
}

TEST(RunHandle, CancelEndsTheRunWithItsReason) {
  // The delay is long; a stop request ends it.
  const Agent agent = make_agent(scripted(R"({"text":"never","delay_ms":60000})"));
  auto handle = RunHandle::start(agent, store_with(kSession, agent), kSession, "question");
  while (auto update = handle->next({.deadline = Deadline::after(kMaxTestWait)})) {
    const auto* event = std::get_if<Event>(&*update);
    if (event != nullptr && event_type(event->body) == "model_called") {
      break;
    }
  }
  handle->cancel(CancelReason::kSuperseded);
  auto report = handle->wait();
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(std::get<Cancelled>(report->outcome).reason, CancelReason::kSuperseded);
}

TEST(RunHandle, DestructionCancelsAndLogsTheEnd) {
  const Agent agent = make_agent(scripted(R"({"text":"never","delay_ms":60000})"));
  auto store = store_with(kSession, agent);
  {
    auto handle = RunHandle::start(agent, store, kSession, "question");
    (void)handle->next();
  }
  auto events = store->read(kSession, 1);
  ASSERT_TRUE(events.ok());
  const auto* ended = std::get_if<RunEnded>(&events->back().body);
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(std::get<Cancelled>(ended->outcome).reason, CancelReason::kAbandoned);
}

TEST(RunHandle, NextObeysItsOwnCall) {
  const Agent agent = make_agent(scripted(R"({"text":"never","delay_ms":60000})"));
  auto handle = RunHandle::start(agent, store_with(kSession, agent), kSession, "question");
  std::stop_source stop;
  stop.request_stop();
  while (handle->next({.stop = stop.get_token()})) {
  }
  SUCCEED();  // It returned although the run goes on.
}

TEST(RunHandle, ErrorBeforeTheRunIsGiven) {
  const Agent agent = make_agent(scripted(""));
  auto handle = RunHandle::start(agent, store_with(kSession, agent), SessionId("none"), "question");
  EXPECT_THAT(handle->wait(), testing::HasReason("session_not_found"));
  EXPECT_FALSE(handle->next().has_value());
}

TEST(RunHandle, ResumesOnAThread) {
  const Agent agent = make_agent(scripted(R"({"tool_calls":[{"name":"write","arguments":{}}]}
{"text":"Written."})"),
                                 {writing_tool("write")});
  auto store = store_with(kSession, agent);
  auto asked = RunHandle::start(agent, store, kSession, "question")->wait();
  ASSERT_TRUE(asked.ok());
  const InterruptId id = std::get<Interrupted>(asked->outcome).interrupts.front();
  auto done = RunHandle::start_resume(agent, store, kSession,
                                      {{.id = id, .decision = InterruptDecision::kApprove}})
                  ->wait();
  ASSERT_TRUE(done.ok());
  EXPECT_EQ(std::get<Completed>(done->outcome).text, "Written.");
}

}  // namespace
}  // namespace ingle
