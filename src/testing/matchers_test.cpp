#include "ingle/testing/matchers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ingle::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::NotNull;

const Error kError{ErrorCode::kNotFound, "thing_not_found", "no such thing", {}};

TEST(Matchers, TellValuesFromErrors) {
  const Result<int> good = 7;
  const Result<int> bad = kError;
  EXPECT_THAT(good, IsOk());
  EXPECT_THAT(bad, Not(IsOk()));
  EXPECT_THAT(good, IsOkAndHolds(7));
  EXPECT_THAT(good, Not(IsOkAndHolds(8)));
  EXPECT_THAT(bad, Not(IsOkAndHolds(7)));
  EXPECT_THAT(bad, HasErrorCode(ErrorCode::kNotFound));
  EXPECT_THAT(bad, Not(HasErrorCode(ErrorCode::kInternal)));
  EXPECT_THAT(good, Not(HasErrorCode(ErrorCode::kNotFound)));
  EXPECT_THAT(bad, HasReason("thing_not_found"));
  EXPECT_THAT(good, Not(HasReason("thing_not_found")));
}

TEST(Matchers, TakeResultsWithoutAValue) {
  EXPECT_THAT(Result<void>(), IsOk());
  EXPECT_THAT(Result<void>(kError), HasReason("thing_not_found"));
}

TEST(Matchers, TakeValuesThatCannotBeCopied) {
  const Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  EXPECT_THAT(result, IsOkAndHolds(NotNull()));
}

TEST(Matchers, FailedResultsArePrintedWithTheirError) {
  EXPECT_THAT(::testing::PrintToString(Result<int>(kError)), HasSubstr("no such thing"));
  EXPECT_EQ(::testing::PrintToString(Result<int>(7)), "the value 7");
  EXPECT_EQ(::testing::PrintToString(Result<void>()), "ok");
}

}  // namespace
}  // namespace ingle::testing
