/// What every `SessionStore` does. A store's test instantiates these suites for itself:
///
///   INSTANTIATE_TEST_SUITE_P(Mine, SessionStoreConformance, ::testing::Values(make_harness));
///   INSTANTIATE_TEST_SUITE_P(Mine, DurableStoreConformance, ::testing::Values(make_harness));
///
/// where `make_harness` gives a `StoreHarness` over an empty place of its own. The second suite is
/// for stores whose sessions outlive the process; it forks.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <latch>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "ingle/session/session_store.h"

namespace ingle::conformance {

struct StoreHarness {
  std::unique_ptr<SessionStore> store;
  /// Opens the same place once more, beside `store`. Empty for a store that is not durable.
  std::function<std::unique_ptr<SessionStore>()> open;
};

using MakeHarness = std::function<StoreHarness()>;

inline Event numbered(std::int64_t seq, EventBody body) {
  return {seq, Timestamp(std::chrono::milliseconds(1'796'064'000'000 + 1000 * seq)),
          std::move(body)};
}

/// `count` events from `first_seq` on; the first of a session starts it.
inline std::vector<Event> some_events(std::int64_t first_seq, std::int64_t count,
                                      const std::string& text = "text") {
  std::vector<Event> out;
  for (std::int64_t seq = first_seq; seq < first_seq + count; ++seq) {
    if (seq == 1) {
      out.push_back(numbered(seq, SessionStarted{kEventFormatVersion, "agent"}));
    } else {
      out.push_back(numbered(seq, MessageAdded{Message::user(text + std::to_string(seq))}));
    }
  }
  return out;
}

#define INGLE_EXPECT_ERROR(expression, expected_code, expected_reason) \
  do {                                                                 \
    const auto ingle_failed_ = (expression);                           \
    ASSERT_FALSE(ingle_failed_.ok());                                  \
    EXPECT_EQ(ingle_failed_.error().code, expected_code);              \
    EXPECT_EQ(ingle_failed_.error().reason, expected_reason);          \
  } while (false)

class SessionStoreConformance : public ::testing::TestWithParam<MakeHarness> {
 protected:
  SessionStoreConformance() : harness_(GetParam()()) {}

  SessionStore& store() { return *harness_.store; }

  void create(const SessionId& session, std::int64_t count = 0) {
    const auto created = store().create(session);
    ASSERT_TRUE(created.ok()) << created.error().message;
    if (count > 0) {
      const auto appended = store().append(session, 0, some_events(1, count));
      ASSERT_TRUE(appended.ok()) << appended.error().message;
    }
  }

  std::vector<Event> read(const SessionId& session, std::int64_t from_seq = 1) {
    auto events = store().read(session, from_seq);
    EXPECT_TRUE(events.ok()) << (events.ok() ? "" : events.error().message);
    return std::move(events).value_or({});
  }

  StoreHarness harness_;
  const SessionId session_{"s1"};
};

TEST_P(SessionStoreConformance, ANewSessionIsEmpty) {
  create(session_);
  EXPECT_TRUE(read(session_).empty());
}

TEST_P(SessionStoreConformance, ASessionIsMadeOnce) {
  create(session_, 2);
  INGLE_EXPECT_ERROR(store().create(session_), ErrorCode::kAlreadyExists, "session_exists");
  EXPECT_EQ(read(session_), some_events(1, 2));
}

TEST_P(SessionStoreConformance, WhatWasAppendedIsReadInOrder) {
  create(session_, 3);
  ASSERT_TRUE(store().append(session_, 3, some_events(4, 1)).ok());
  ASSERT_TRUE(store().append(session_, 4, some_events(5, 2)).ok());
  EXPECT_EQ(read(session_), some_events(1, 6));
}

TEST_P(SessionStoreConformance, ReadingBeginsWhereAsked) {
  create(session_, 5);
  EXPECT_EQ(read(session_, 4), some_events(4, 2));
  EXPECT_TRUE(read(session_, 6).empty());
  EXPECT_TRUE(read(session_, 100).empty());
}

TEST_P(SessionStoreConformance, ContentComesBackExactly) {
  create(session_);
  const std::string text = std::string("\0\x01\x7F", 3) + "\"\\/\n\xC3\xA9\xF0\x9F\x98\x80";
  const Json value = json{{"big", INT64_MIN}, {"real", 0.1}, {"none", nullptr}, {text, {1, "2"}}};
  const std::vector<Event> events = {
      numbered(1, SessionStarted{kEventFormatVersion, text}),
      numbered(2, ModeStateSet{value}),
      numbered(3, StateChanged{value, {CallId(text)}}),
      numbered(4, MessageAdded{Message::user(std::string(300'000, 'x'))}),
      numbered(5, UnknownEvent{"of_a_newer_version", json{{"seq", 5},
                                                          {"time", "2026-11-30T18:40:05.000Z"},
                                                          {"type", "of_a_newer_version"},
                                                          {"content", *value}}}),
  };
  ASSERT_TRUE(store().append(session_, 0, events).ok());
  std::vector<Event> back = read(session_);
  ASSERT_EQ(back.size(), events.size());
  back[4].time = events[4].time;  // An unknown event has the time that is written in it.
  EXPECT_EQ(back, events);
}

TEST_P(SessionStoreConformance, AppendingNothingOnlyCompares) {
  create(session_, 2);
  EXPECT_TRUE(store().append(session_, 2, {}).ok());
  INGLE_EXPECT_ERROR(store().append(session_, 1, {}), ErrorCode::kConflict, "session_conflict");
}

TEST_P(SessionStoreConformance, AnUnknownSessionIsNotFound) {
  INGLE_EXPECT_ERROR(store().read(session_, 1), ErrorCode::kNotFound, "session_not_found");
  INGLE_EXPECT_ERROR(store().append(session_, 0, some_events(1, 1)), ErrorCode::kNotFound,
                     "session_not_found");
}

TEST_P(SessionStoreConformance, ASecondWriterGetsAConflict) {
  create(session_, 3);
  for (const std::int64_t expected : {0, 2, 4}) {
    const auto appended = store().append(session_, expected, some_events(expected + 1, 2));
    ASSERT_FALSE(appended.ok());
    EXPECT_EQ(appended.error().code, ErrorCode::kConflict);
    EXPECT_EQ(appended.error().reason, "session_conflict");
    EXPECT_EQ(appended.error().details, Json(json{{"expected_seq", expected}, {"actual_seq", 3}}));
  }
  EXPECT_EQ(read(session_), some_events(1, 3));
}

TEST_P(SessionStoreConformance, EventsThatDoNotCountOnAreRefused) {
  create(session_, 1);
  std::vector<Event> gap = some_events(2, 2);
  gap[1].seq = 4;
  std::vector<Event> twice = some_events(2, 2);
  twice[1].seq = 2;
  for (const auto& events : {some_events(1, 1), some_events(3, 1), gap, twice}) {
    INGLE_EXPECT_ERROR(store().append(session_, 1, events), ErrorCode::kInvalidArgument,
                       "event_out_of_order");
  }
  EXPECT_EQ(read(session_), some_events(1, 1));
}

TEST_P(SessionStoreConformance, OneEventTooDeepAndNothingIsAppended) {
  create(session_);
  json deep = 1;
  for (std::size_t i = 0; i < kMaxEventDepth; ++i) {
    deep = json::array({std::move(deep)});
  }
  std::vector<Event> events = some_events(1, 1);
  events.push_back(numbered(2, ModeStateSet{deep}));
  INGLE_EXPECT_ERROR(store().append(session_, 0, events), ErrorCode::kInvalidArgument,
                     "event_too_large");
  EXPECT_TRUE(read(session_).empty());
}

TEST_P(SessionStoreConformance, SessionsDoNotTouchEachOther) {
  const SessionId other("s2");
  create(session_, 2);
  create(other, 3);
  EXPECT_EQ(read(session_), some_events(1, 2));
  EXPECT_EQ(read(other), some_events(1, 3));
}

TEST_P(SessionStoreConformance, TheMostRecentlyChangedIsListedFirst) {
  create(SessionId("a"), 2);
  create(SessionId("b"), 4);
  create(SessionId("c"), 2);
  create(SessionId("empty"));
  ASSERT_TRUE(store().append(SessionId("a"), 2, some_events(3, 3)).ok());
  const auto at = [](std::int64_t seq) { return numbered(seq, ModelCalled{}).time; };
  const auto listed = store().list();
  ASSERT_TRUE(listed.ok());
  EXPECT_THAT(*listed, ::testing::ElementsAre(SessionInfo{SessionId("a"), 5, at(1), at(5)},
                                              SessionInfo{SessionId("b"), 4, at(1), at(4)},
                                              SessionInfo{SessionId("c"), 2, at(1), at(2)},
                                              SessionInfo{SessionId("empty"), 0, {}, {}}));
}

TEST_P(SessionStoreConformance, SessionsOfOneTimeAreListedByIdDescending) {
  for (const char* id : {"b", "c", "a"}) {
    create(SessionId(id), 1);
  }
  const auto listed = store().list();
  ASSERT_TRUE(listed.ok());
  ASSERT_EQ(listed->size(), 3U);
  EXPECT_EQ((*listed)[0].id, SessionId("c"));
  EXPECT_EQ((*listed)[2].id, SessionId("a"));
}

/// Threads append to the same place in `stores` until `rounds` are done; each round has one winner.
inline void race(const std::vector<SessionStore*>& stores, const SessionId& session,
                 std::int64_t rounds) {
  std::vector<std::int64_t> wins(stores.size(), 0);
  {
    std::latch start(std::ssize(stores));
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < stores.size(); ++i) {
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        for (std::int64_t seq = 1; seq <= rounds; ++seq) {
          const auto appended =
              stores[i]->append(session, seq - 1, some_events(seq, 1, std::to_string(i) + "-"));
          if (appended) {
            ++wins[i];
          } else {
            EXPECT_EQ(appended.error().reason, "session_conflict") << appended.error().message;
          }
        }
      });
    }
  }
  const auto events = stores[0]->read(session, 1);
  ASSERT_TRUE(events.ok());
  EXPECT_EQ(std::ssize(*events), rounds);
  std::int64_t all_wins = 0;
  for (const std::int64_t count : wins) {
    all_wins += count;
  }
  EXPECT_EQ(all_wins, rounds);
}

TEST_P(SessionStoreConformance, OfThreadsThatRaceExactlyOneWins) {
  create(session_);
  race({&store(), &store(), &store()}, session_, 40);
}

class DurableStoreConformance : public SessionStoreConformance {
 protected:
  std::unique_ptr<SessionStore> open() { return harness_.open(); }
  void reopen() {
    harness_.store.reset();
    harness_.store = open();
  }
};

TEST_P(DurableStoreConformance, SessionsAreThereAfterReopening) {
  create(session_, 3);
  const auto listed = store().list();
  reopen();
  EXPECT_EQ(read(session_), some_events(1, 3));
  EXPECT_EQ(*store().list(), *listed);
  EXPECT_TRUE(store().append(session_, 3, some_events(4, 1)).ok());
}

TEST_P(DurableStoreConformance, TwoHandlesSeeEachOther) {
  const auto other = open();
  create(session_, 1);
  ASSERT_TRUE(other->append(session_, 1, some_events(2, 2)).ok());
  EXPECT_EQ(read(session_), some_events(1, 3));
  INGLE_EXPECT_ERROR(store().append(session_, 1, some_events(2, 1)), ErrorCode::kConflict,
                     "session_conflict");
  INGLE_EXPECT_ERROR(other->create(session_), ErrorCode::kAlreadyExists, "session_exists");
}

TEST_P(DurableStoreConformance, OfHandlesThatRaceExactlyOneWins) {
  create(session_);
  const auto second = open();
  const auto third = open();
  race({&store(), second.get(), third.get()}, session_, 40);
}

/// In a child process: opens the store, appends without end, and tells of each event that it was
/// promised by one byte on `pipe`.
[[noreturn]] inline void append_until_killed(
    const std::function<std::unique_ptr<SessionStore>()>& open, const SessionId& session,
    int pipe) {
  const auto store = open();
  for (std::int64_t seq = 1; store != nullptr; ++seq) {
    if (!store->append(session, seq - 1, some_events(seq, 1))) {
      break;
    }
    const char byte = '.';
    if (::write(pipe, &byte, 1) != 1) {
      break;
    }
  }
  ::_exit(1);
}

TEST_P(DurableStoreConformance, WhatWasPromisedSurvivesAKill) {
  create(session_);
  // No connection is carried over a fork.
  harness_.store.reset();
  for (const int promised_at_least : {1, 7, 30}) {
    const SessionId session("killed" + std::to_string(promised_at_least));
    ASSERT_TRUE(open()->create(session).ok());
    int ends[2] = {};
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      ::close(ends[0]);
      append_until_killed(harness_.open, session, ends[1]);
    }
    ::close(ends[1]);
    std::int64_t promised = 0;
    char byte = 0;
    while (promised < promised_at_least && ::read(ends[0], &byte, 1) == 1) {
      ++promised;
    }
    ::kill(child, SIGKILL);
    while (::read(ends[0], &byte, 1) == 1) {
      ++promised;  // It came between our last look and the kill.
    }
    ::close(ends[0]);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";

    const auto store = open();
    const auto events = store->read(session, 1);
    ASSERT_TRUE(events.ok()) << events.error().message;
    const std::int64_t found = std::ssize(*events);
    EXPECT_GE(found, promised);
    EXPECT_LE(found, promised + 1);
    EXPECT_EQ(*events, some_events(1, found));
    EXPECT_TRUE(store->append(session, found, some_events(found + 1, 1)).ok());
  }
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SessionStoreConformance);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DurableStoreConformance);

}  // namespace ingle::conformance
