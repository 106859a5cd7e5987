#include "ingle/core/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ingle {
namespace {

Error some_error() { return {ErrorCode::kNotFound, "gone", "it is gone", {}}; }

Result<int> half(int number) {
  if (number % 2 != 0) {
    return Error{ErrorCode::kInvalidArgument, "odd", "an odd number has no half", {}};
  }
  return number / 2;
}

Result<int> quarter(int number) {
  INGLE_TRY(const int first, half(number));
  INGLE_TRY(const int second, half(first));
  return second;
}

Result<void> check_even(int number) {
  INGLE_RETURN_IF_ERROR(half(number));
  return {};
}

TEST(Result, HoldsAValue) {
  const Result<int> result = 7;
  EXPECT_TRUE(result.ok());
  EXPECT_TRUE(static_cast<bool>(result));
  EXPECT_EQ(result.value(), 7);
  EXPECT_EQ(*result, 7);
}

TEST(Result, HoldsAnError) {
  const Result<int> result = some_error();
  EXPECT_FALSE(result.ok());
  EXPECT_FALSE(static_cast<bool>(result));
  EXPECT_EQ(result.error(), some_error());
}

TEST(Result, GivesUpAValueThatOnlyMoves) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> value = std::move(result).value();
  EXPECT_EQ(*value, 7);
}

TEST(Result, ValueOrFallsBackOnlyOnError) {
  EXPECT_EQ(Result<int>(7).value_or(1), 7);
  EXPECT_EQ(Result<int>(some_error()).value_or(1), 1);
}

TEST(Result, ArrowReachesTheValue) {
  Result<std::string> result = std::string("abc");
  EXPECT_EQ(result->size(), 3U);
  result->push_back('d');
  EXPECT_EQ(*result, "abcd");
}

TEST(Result, OfVoidIsOkByDefault) {
  EXPECT_TRUE(Result<void>().ok());
  const Result<void> failed = some_error();
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.error(), some_error());
}

TEST(Result, TryUnwrapsOrReturnsTheError) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_EQ(quarter(6).error().reason, "odd");
  EXPECT_EQ(quarter(7).error().reason, "odd");
}

TEST(Result, ReturnIfErrorPassesTheErrorOn) {
  EXPECT_TRUE(check_even(2).ok());
  EXPECT_EQ(check_even(3).error().reason, "odd");
}

TEST(ResultDeathTest, ReadingTheWrongOneAborts) {
  const Result<int> value = 7;
  const Result<int> error = some_error();
  EXPECT_DEATH((void)value.error(), "error\\(\\) of a successful Result");
  EXPECT_DEATH((void)error.value(), "value\\(\\) of a failed Result");
  EXPECT_DEATH((void)Result<void>().error(), "error\\(\\) of a successful Result");
}

}  // namespace
}  // namespace ingle
