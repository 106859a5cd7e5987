#include "ingle/testing/fake_clock.h"

#include <gtest/gtest.h>

namespace ingle::testing {
namespace {

using std::chrono::milliseconds;

TEST(FakeClock, StandsStillUntilItIsMoved) {
  FakeClock clock;
  EXPECT_EQ(clock.now(), FakeClock::kStart);
  const auto steady = clock.steady_now();
  clock.advance(milliseconds(1500));
  EXPECT_EQ(clock.now() - FakeClock::kStart, milliseconds(1500));
  EXPECT_EQ(clock.steady_now() - steady, milliseconds(1500));
}

TEST(FakeClock, SettingTheTimeLeavesTheMonotonicClockAlone) {
  FakeClock clock;
  const auto steady = clock.steady_now();
  clock.set(Timestamp(milliseconds(7)));
  EXPECT_EQ(clock.now(), Timestamp(milliseconds(7)));
  EXPECT_EQ(clock.steady_now(), steady);
}

}  // namespace
}  // namespace ingle::testing
