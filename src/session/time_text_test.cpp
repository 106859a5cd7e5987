#include "ingle/session/time_text.h"

#include <gtest/gtest.h>

#include <chrono>

namespace ingle {
namespace {

using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::year;

TEST(TimeText, HasTheDocumentedForm) {
  const Timestamp time = sys_days{year{2026} / 11 / 30} + std::chrono::hours{18} +
                         std::chrono::minutes{56} + milliseconds{42'123};
  EXPECT_EQ(format_time(time), "2026-11-30T18:56:42.123Z");
  EXPECT_EQ(format_time(Timestamp{}), "1970-01-01T00:00:00.000Z");
}

TEST(TimeText, EveryTimeComesBackEqual) {
  for (const std::int64_t count : {0LL, 1LL, 999LL, -1LL, -62'167'219'200'000LL, 951'782'400'000LL,
                                   1'796'064'000'001LL, 253'402'300'799'999LL}) {
    const Timestamp time{milliseconds{count}};
    EXPECT_EQ(parse_time(format_time(time)), time) << format_time(time);
  }
}

TEST(TimeText, TimesOutsideFourDigitYearsAreClamped) {
  EXPECT_EQ(format_time(Timestamp::max()), "9999-12-31T23:59:59.999Z");
  EXPECT_EQ(format_time(Timestamp::min()), "0000-01-01T00:00:00.000Z");
}

TEST(TimeText, OtherFormsAreRefused) {
  for (const char* text :
       {"", "2026-11-30", "2026-11-30T18:56:42Z", "2026-11-30T18:56:42.123",
        "2026-11-30 18:56:42.123Z", "2026-11-30T18:56:42.123z", "2026-11-30T18:56:42.123+00:00",
        "2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-00-01T00:00:00.000Z",
        "2026-11-31T00:00:00.000Z", "2026-11-30T24:00:00.000Z", "2026-11-30T23:60:00.000Z",
        "2026-11-30T23:59:60.000Z", "-026-11-30T18:56:42.123Z", "2026-11-30T18:56:42.123Z "}) {
    EXPECT_EQ(parse_time(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace ingle
