#include "ingle/session/session_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
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

class SessionLogRefusal : public SessionLogTest {
 protected:
  SessionLogRefusal() : log_(open()) {
    EXPECT_TRUE(log_.commit({SessionStarted{1, "a"}, session_samples::run_started()}).ok());
  }

  /// Commits what must be refused: nothing is stored, heard or changed, and the log is usable.
  void expect_refused(const std::vector<EventBody>& bodies) {
    const SessionState before = log_.state();
    const auto refused = log_.commit(bodies);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().reason, "event_refused");
    EXPECT_EQ(refused.error().code, ErrorCode::kInternal);
    EXPECT_EQ(log_.state(), before);
    EXPECT_EQ(std::ssize(*store_.read(session_, 1)), before.last_seq);
    EXPECT_EQ(std::ssize(heard_), before.last_seq);
    ASSERT_TRUE(log_.commit({ModelCalled{"m"}}).ok());
    EXPECT_EQ(log_.state(), open().state()) << "the session can still be read";
  }

  SessionLog log_;
};

TEST_F(SessionLogRefusal, AnEventThatDoesNotFitIsNotStored) {
  expect_refused({StateChanged{json::array(), {}}});
  expect_refused({ToolFinished{.call_id = CallId("nobody"), .text = "a reply to no call"}});
  expect_refused({SessionStarted{1, "again"}});
}

TEST_F(SessionLogRefusal, OfAGroupNothingIsStoredIfItsLastDoesNotFit) {
  const ToolFinished result{.call_id = CallId("c1"), .text = "done"};
  // The second result fits the state before the group, and not the one behind the first.
  expect_refused({session_samples::replied({session_samples::call("c1")}), result, result});
}

TEST_F(SessionLogRefusal, AnEventFitsIfTheOneBeforeItInTheGroupMakesItFit) {
  const ToolFinished result{.call_id = CallId("c1"), .text = "done"};
  ASSERT_TRUE(log_.commit({session_samples::replied({session_samples::call("c1")}),
                           ToolFinished{result}, StateChanged{json::object(), {CallId("c1")}},
                           RunEnded{RunId("r1"), Completed{}}})
                  .ok());
  EXPECT_EQ(log_.state(), open().state());
}

TEST_F(SessionLogRefusal, WhatCouldNotBeReadBackIsNotStored) {
  Message message = Message::user("go");
  message.tool_calls = {session_samples::call("c1")};  // Only an assistant has calls.
  expect_refused({MessageAdded{message}});
  expect_refused({ModeStateSet{json(json::value_t::discarded)}});
  expect_refused({UnknownEvent{"later", json{{"type", "later"}}}});
}

TEST_F(SessionLogRefusal, NestingBeyondTheFormatIsRefusedAndDoesNotOverflowTheStack) {
  for (const int depth : {511, 512, 600, 100'000}) {
    Json deep = session_samples::nested(depth);
    std::vector<EventBody> bodies;
    bodies.emplace_back(ModeStateSet{std::move(deep)});
    const auto committed = log_.commit(std::move(bodies));
    EXPECT_EQ(committed.ok(), depth == 511);
    if (!committed) {
      EXPECT_EQ(committed.error().reason, "event_too_large");
    }
  }
  EXPECT_EQ(log_.state(), open().state());
}

TEST_F(SessionLogTest, WhatTextCannotHoldIsReplacedInTheStateToo) {
  SessionLog log = open();
  const json value = {{"key \xFF", "\xC3("},
                      {"nan", std::numeric_limits<double>::quiet_NaN()},
                      {"infinite", -std::numeric_limits<double>::infinity()},
                      {"bytes", json::binary({1, 2})}};
  ASSERT_TRUE(log.commit({SessionStarted{1, "a \x80"}, MessageAdded{Message::user("\xF0\x9F")},
                          session_samples::run_started("r \xFE"), ModeStateSet{value}})
                  .ok());
  EXPECT_EQ(log.state().agent, "a \xEF\xBF\xBD");
  EXPECT_TRUE(log.state().run->mode_state->at("nan").is_null());
  // As a store of text gives it back.
  const std::vector<Event> stored = *store_.read(session_, 1);
  std::vector<Event> read;
  for (const Event& event : stored) {
    read.push_back(*decode_event(*encode_event(event)));
  }
  EXPECT_EQ(*fold(read), log.state());
}

TEST_F(SessionLogTest, AListenerThatThrowsLeavesTheStateWhole) {
  auto log = SessionLog::open(store_, session_, clock_,
                              [](const Event&) { throw std::runtime_error("a bug"); });
  ASSERT_TRUE(log.ok());
  EXPECT_THROW((void)log->commit({SessionStarted{1, "a"}, MessageAdded{Message::user("go")}}),
               std::runtime_error);
  EXPECT_EQ(log->state(), open().state());
}

}  // namespace
}  // namespace ingle
