#include "engine_llama/owner_thread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <latch>
#include <optional>
#include <thread>
#include <vector>

#include "ingle/testing/max_test_wait.h"

namespace ingle {
namespace {

using Ran = OwnerThread::Ran;
using StopCheck = OwnerThread::StopCheck;

/// Work that begins, says so, and goes on until it is asked to stop.
struct LongWork {
  std::latch has_begun{1};

  void operator()(const StopCheck& stop) {
    has_begun.count_down();
    const Deadline limit = Deadline::after(testing::kMaxTestWait);
    while (!stop.should_stop() && !limit.has_passed()) {
      std::this_thread::yield();
    }
  }
};

TEST(OwnerThread, WorkRunsOnItsThread) {
  OwnerThread owner;
  std::thread::id first;
  std::thread::id second;
  EXPECT_EQ(owner.run({}, [&](const StopCheck&) { first = std::this_thread::get_id(); }),
            Ran::kToTheEnd);
  owner.run({}, [&](const StopCheck&) { second = std::this_thread::get_id(); });
  EXPECT_EQ(first, second);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(OwnerThread, OneAtATime) {
  OwnerThread owner;
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  std::atomic<int> done = 0;
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 8; ++i) {
      callers.emplace_back([&] {
        for (int k = 0; k < 50; ++k) {
          owner.run({}, [&](const StopCheck&) {
            most = std::max(most.load(), ++running);
            --running;
            ++done;
          });
        }
      });
    }
  }
  EXPECT_EQ(most, 1);
  EXPECT_EQ(done, 400);
}

TEST(OwnerThread, RunningWorkSeesTheStop) {
  OwnerThread owner;
  std::stop_source stop;
  LongWork work;
  auto result = std::async(std::launch::async, [&] {
    return owner.run({stop.get_token(), {}}, [&](const StopCheck& check) { work(check); });
  });
  work.has_begun.wait();
  stop.request_stop();
  ASSERT_EQ(result.wait_for(testing::kMaxTestWait), std::future_status::ready);
  EXPECT_EQ(result.get(), Ran::kToTheEnd);
}

TEST(OwnerThread, WaitingWorkIsWithdrawnAtOnce) {
  OwnerThread owner;
  std::stop_source stop;
  LongWork work;
  std::jthread busy(
      [&] { owner.run({stop.get_token(), {}}, [&](const StopCheck& check) { work(check); }); });
  work.has_begun.wait();
  bool has_run = false;
  std::stop_source own_stop;
  own_stop.request_stop();
  EXPECT_EQ(owner.run({own_stop.get_token(), {}}, [&](const StopCheck&) { has_run = true; }),
            Ran::kWithdrawn);
  EXPECT_EQ(owner.run({{}, Deadline::after(std::chrono::milliseconds(10))},
                      [&](const StopCheck&) { has_run = true; }),
            Ran::kWithdrawn);
  stop.request_stop();
  busy.join();
  EXPECT_FALSE(has_run);
  EXPECT_EQ(owner.run({}, [&](const StopCheck&) { has_run = true; }), Ran::kToTheEnd);
}

TEST(OwnerThread, DestructorEndsWhatRunsAndWhatWaits) {
  std::optional<OwnerThread> owner(std::in_place);
  LongWork work;
  auto running = std::async(std::launch::async, [&] {
    return owner->run({}, [&](const StopCheck& check) { work(check); });
  });
  work.has_begun.wait();
  std::vector<std::future<Ran>> waiting;
  for (int i = 0; i < 3; ++i) {
    waiting.push_back(std::async(
        std::launch::async, [self = &*owner] { return self->run({}, [](const StopCheck&) {}); }));
  }
  while (owner->waiting_count() < waiting.size()) {
    std::this_thread::yield();
  }
  owner.reset();
  EXPECT_EQ(running.get(), Ran::kToTheEnd);
  for (auto& one : waiting) {
    EXPECT_EQ(one.get(), Ran::kWithdrawn);
  }
}

}  // namespace
}  // namespace ingle
