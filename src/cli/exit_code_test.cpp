#include "ingle/cli/exit_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

namespace ingle::cli {
namespace {

TEST(ExitCode, EveryOutcomeHasItsOwn) {
  const std::vector<std::pair<Outcome, ExitCode>> expected{{Completed{}, ExitCode::kOk},
                                                           {ToolResultOutcome{}, ExitCode::kOk},
                                                           {Interrupted{}, ExitCode::kInterrupted},
                                                           {Paused{}, ExitCode::kPaused},
                                                           {Stopped{}, ExitCode::kStopped},
                                                           {Cancelled{}, ExitCode::kCancelled},
                                                           {Failed{}, ExitCode::kFailed}};
  std::set<std::size_t> seen;
  for (const auto& [outcome, code] : expected) {
    EXPECT_EQ(exit_code(outcome), code) << outcome_name(outcome);
    seen.insert(outcome.index());
  }
  EXPECT_EQ(seen.size(), std::variant_size_v<Outcome>);
}

TEST(ExitCode, NumbersAreThoseOfTheManual) {
  const std::array numbers{ExitCode::kOk,          ExitCode::kFailed, ExitCode::kUsage,
                           ExitCode::kInterrupted, ExitCode::kPaused, ExitCode::kStopped,
                           ExitCode::kCancelled};
  const std::array expected{0, 1, 2, 3, 4, 5, 130};
  EXPECT_TRUE(std::ranges::equal(numbers, expected, {},
                                 [](ExitCode code) { return static_cast<int>(code); }));
}

/// All codes, in their order; `to_string` has a name for each and for none after the last.
std::vector<ErrorCode> all_codes() {
  std::vector<ErrorCode> codes;
  for (int i = 0; i <= static_cast<int>(ErrorCode::kInternal); ++i) {
    codes.push_back(static_cast<ErrorCode>(i));
  }
  return codes;
}

TEST(ExitCode, AnErrorBeforeTheRunIsUsageFailureOrCancellation) {
  for (const ErrorCode code : all_codes()) {
    const ExitCode result = exit_code(code);
    EXPECT_TRUE(result == ExitCode::kFailed || result == ExitCode::kUsage ||
                result == ExitCode::kCancelled)
        << to_string(code);
  }
  EXPECT_EQ(exit_code(ErrorCode::kInvalidArgument), ExitCode::kUsage);
  EXPECT_EQ(exit_code(ErrorCode::kNotFound), ExitCode::kUsage);
  EXPECT_EQ(exit_code(ErrorCode::kInternal), ExitCode::kFailed);
  EXPECT_EQ(exit_code(ErrorCode::kConflict), ExitCode::kFailed);
}

TEST(ExitCode, WhateverIsWrongWithAModelIsInput) {
  for (const ErrorCode code : all_codes()) {
    const bool is_cancelled = code == ErrorCode::kCancelled || code == ErrorCode::kDeadlineExceeded;
    EXPECT_EQ(model_exit_code(code), is_cancelled ? ExitCode::kCancelled : ExitCode::kUsage)
        << to_string(code);
  }
}

}  // namespace
}  // namespace ingle::cli
