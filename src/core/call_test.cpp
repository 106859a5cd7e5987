#include "ingle/core/call.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <latch>
#include <set>
#include <thread>
#include <vector>

namespace ingle {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

TEST(Deadline, DefaultIsNever) {
  const Deadline deadline;
  EXPECT_TRUE(deadline.is_never());
  EXPECT_FALSE(deadline.has_passed());
}

TEST(Deadline, PassesAtItsTime) {
  EXPECT_TRUE(Deadline::after(seconds(0)).has_passed());
  EXPECT_TRUE(Deadline::after(seconds(-1)).has_passed());
  EXPECT_FALSE(Deadline::after(hours(1)).has_passed());
}

TEST(Deadline, TooFarForTheClockIsNever) {
  EXPECT_TRUE(Deadline::after(Deadline::Clock::duration::max()).is_never());
}

TEST(Deadline, NarrowingTakesTheEarlier) {
  const Deadline never;
  const Deadline soon = Deadline::after(seconds(1));
  const Deadline late = Deadline::after(hours(1));
  EXPECT_EQ(soon.narrowed(late), soon);
  EXPECT_EQ(late.narrowed(soon), soon);
  EXPECT_EQ(never.narrowed(late), late);
  EXPECT_EQ(late.narrowed(never), late);
}

TEST(Call, DefaultMayGoOn) {
  const Call call;
  EXPECT_FALSE(call.should_stop());
  EXPECT_TRUE(call.check().ok());
}

TEST(Call, StopIsTheErrorCancelled) {
  std::stop_source source;
  const Call call{.stop = source.get_token(), .deadline = {}};
  source.request_stop();
  EXPECT_TRUE(call.should_stop());
  const auto result = call.check();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(result.error().reason, "cancelled");
}

TEST(Call, PassedDeadlineIsTheErrorDeadlineExceeded) {
  const Call call{.stop = {}, .deadline = Deadline::after(seconds(-1))};
  EXPECT_TRUE(call.should_stop());
  const auto result = call.check();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::kDeadlineExceeded);
  EXPECT_EQ(result.error().reason, "deadline_exceeded");
}

TEST(Call, StopWinsOverThePassedDeadline) {
  std::stop_source source;
  source.request_stop();
  const Call call{.stop = source.get_token(), .deadline = Deadline::after(seconds(-1))};
  ASSERT_FALSE(call.check().ok());
  EXPECT_EQ(call.check().error().code, ErrorCode::kCancelled);
}

TEST(CancelReason, NamesAreDistinct) {
  constexpr std::array kReasons = {CancelReason::kNone,      CancelReason::kUser,
                                   CancelReason::kDeadline,  CancelReason::kSuperseded,
                                   CancelReason::kAbandoned, CancelReason::kShutdown};
  std::set<std::string_view> names;
  for (const CancelReason reason : kReasons) {
    names.insert(to_string(reason));
  }
  EXPECT_EQ(names.size(), kReasons.size());
}

TEST(CancelSource, StartsUncancelled) {
  const CancelSource source;
  EXPECT_EQ(source.reason(), CancelReason::kNone);
  EXPECT_FALSE(source.token().stop_requested());
}

TEST(CancelSource, FirstReasonStays) {
  CancelSource source;
  EXPECT_TRUE(source.cancel(CancelReason::kSuperseded));
  EXPECT_FALSE(source.cancel(CancelReason::kUser));
  EXPECT_EQ(source.reason(), CancelReason::kSuperseded);
  EXPECT_TRUE(source.token().stop_requested());
}

TEST(CancelSource, CopiesShareTheState) {
  CancelSource source;
  CancelSource copy = source;
  EXPECT_TRUE(copy.cancel(CancelReason::kShutdown));
  EXPECT_EQ(source.reason(), CancelReason::kShutdown);
  EXPECT_TRUE(source.token().stop_requested());
}

TEST(CancelSource, ReasonIsKnownToStopCallbacks) {
  CancelSource source;
  CancelReason seen = CancelReason::kNone;
  const std::stop_callback callback(source.token(), [&] { seen = source.reason(); });
  source.cancel(CancelReason::kAbandoned);
  EXPECT_EQ(seen, CancelReason::kAbandoned);
}

TEST(CancelSource, OnlyOneOfManyThreadsIsFirst) {
  constexpr int kThreads = 4;
  CancelSource source;
  std::atomic<int> winners = 0;
  std::latch start(kThreads);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        winners += source.cancel(CancelReason::kUser) ? 1 : 0;
      });
    }
  }
  EXPECT_EQ(winners.load(), 1);
}

TEST(CancelSourceDeathTest, CancellingWithoutAReasonIsABug) {
  CancelSource source;
  EXPECT_DEATH(source.cancel(CancelReason::kNone), "a cancellation has a reason");
}

}  // namespace
}  // namespace ingle
