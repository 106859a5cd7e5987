#include "ingle/session/session_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "ingle/session/memory_store.h"
#include "session/sample_events.h"

namespace ingle {
namespace {

using session_samples::event;
using testing::ElementsAre;

class SettableClock final : public Clock {
 public:
  [[nodiscard]] Timestamp now() const override { return now_; }
  [[nodiscard]] std::chrono::steady_clock::time_point steady_now() const override { return {}; }
  void set(Timestamp now) { now_ = now; }

 private:
  Timestamp now_ = event(100, ModelCalled{}).time;
};

class SessionLogTest : public testing::Test {
 protected:
  SessionLogTest() { EXPECT_TRUE(store_.create(session_).ok()); }

  SessionLog open() {
    auto log = SessionLog::open(store_, session_, clock_,
                                [this](const Event& event) { heard_.push_back(event.seq); });
    EXPECT_TRUE(log.ok());
    return *log;
  }

  MemoryStore store_;
  SettableClock clock_;
  const SessionId session_{"s1"};
  std::vector<std::int64_t> heard_;
};

TEST_F(SessionLogTest, WhatIsCommittedIsStoredAppliedAndHeard) {
  SessionLog log = open();
  ASSERT_TRUE(log.commit({SessionStarted{1, "a"}, MessageAdded{Message::user("go")}}).ok());
  ASSERT_TRUE(log.commit({MessageAdded{Message::user("on")}}).ok());
  EXPECT_THAT(heard_, ElementsAre(1, 2, 3));
  EXPECT_EQ(log.state(), *fold(*store_.read(session_, 1)));
  EXPECT_EQ(log.state(), open().state());
}

TEST_F(SessionLogTest, TimeNeverRunsBackwards) {
  SessionLog log = open();
  ASSERT_TRUE(log.commit({SessionStarted{1, "a"}}).ok());
  const Timestamp before = log.state().last_time;
  clock_.set(before - std::chrono::hours(1));
  ASSERT_TRUE(log.commit({MessageAdded{Message::user("go")}}).ok());
  EXPECT_EQ(log.state().last_time, before);
}

TEST_F(SessionLogTest, ASecondWriterGetsAConflictAndKeepsItsState) {
  SessionLog first = open();
  SessionLog second = open();
  ASSERT_TRUE(first.commit({SessionStarted{1, "a"}}).ok());
  const auto refused = second.commit({SessionStarted{1, "b"}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().reason, "session_conflict");
  EXPECT_EQ(second.state(), SessionState{});
  EXPECT_THAT(heard_, ElementsAre(1));
}

TEST_F(SessionLogTest, ASessionOfANewerVersionIsNotAdvanced) {
  ASSERT_TRUE(store_
                  .append(session_, 0,
                          std::vector{event(1, SessionStarted{1, "a"}),
                                      event(2, UnknownEvent{"later", Json()})})
                  .ok());
  SessionLog log = open();
  const auto refused = log.commit({MessageAdded{Message::user("go")}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(refused.error().reason, "session_newer");
  EXPECT_EQ(store_.read(session_, 1)->size(), 2U);
}

}  // namespace
}  // namespace ingle
