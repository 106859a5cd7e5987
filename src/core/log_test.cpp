#include "ingle/core/log.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

namespace ingle {
namespace {

std::string logged(std::string_view component, std::string_view text) {
  testing::internal::CaptureStderr();
  stderr_log(LogLevel::kDebug)->write(LogLevel::kInfo, component, text);
  return testing::internal::GetCapturedStderr();
}

TEST(StderrLog, WritesOneLine) {
  EXPECT_EQ(logged("agent", "run started"), "agent: run started\n");
}

TEST(StderrLog, DropsWhatIsBelowTheMinimum) {
  testing::internal::CaptureStderr();
  const auto log = stderr_log(LogLevel::kWarning);
  log->write(LogLevel::kInfo, "a", "dropped");
  log->write(LogLevel::kWarning, "a", "kept");
  log->write(LogLevel::kError, "a", "kept too");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "a: kept\na: kept too\n");
}

TEST(StderrLog, TerminalEscapesAreWrittenOut) {
  EXPECT_EQ(logged("a", "\x1B[31mred\x07"), "a: \\x1b[31mred\\x07\n");
  EXPECT_EQ(logged("a\x1B", "\x7F"), "a\\x1b: \\x7f\n");
}

TEST(StderrLog, C1ControlsAreWrittenOut) {
  EXPECT_EQ(logged("a",
                   "\xC2\x9B"
                   "31m"),
            "a: \\x9b31m\n");
}

TEST(StderrLog, TextCannotStartALineOfItsOwn) {
  EXPECT_EQ(logged("a", "one\nb: two\r"), "a: one\\nb: two\\x0d\n");
}

TEST(StderrLog, TabsAndOtherCharactersStay) {
  EXPECT_EQ(logged("a", "x\ty \xC2\xA0\xC3\xA9\xE2\x82\xAC"),
            "a: x\ty \xC2\xA0\xC3\xA9\xE2\x82\xAC\n");
}

TEST(StderrLog, InvalidUtf8IsReplaced) {
  EXPECT_EQ(logged("a",
                   "\x9B"
                   "31m \xC2"),
            "a: \xEF\xBF\xBD"
            "31m \xEF\xBF\xBD\n");
}

TEST(StderrLog, LinesOfManyThreadsStayWhole) {
  constexpr int kThreads = 4;
  constexpr int kLines = 50;
  const std::string text(500, 'x');
  const std::string line = "a: " + text + "\n";
  testing::internal::CaptureStderr();
  const auto log = stderr_log(LogLevel::kDebug);
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&] {
        for (int n = 0; n < kLines; ++n) {
          log->write(LogLevel::kInfo, "a", text);
        }
      });
    }
  }
  const std::string written = testing::internal::GetCapturedStderr();
  ASSERT_EQ(written.size(), line.size() * kThreads * kLines);
  for (std::size_t at = 0; at < written.size(); at += line.size()) {
    ASSERT_EQ(written.substr(at, line.size()), line);
  }
}

TEST(NullLog, WritesNothing) {
  testing::internal::CaptureStderr();
  null_log()->write(LogLevel::kError, "a", "b");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace ingle
