#include "engine_llama/probe_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <stop_token>

#include "ingle/testing/matchers.h"
#include "ingle/testing/max_test_wait.h"
#include "ingle/testing/temp_dir.h"

namespace ingle {
namespace {

using testing::HasErrorCode;
using testing::HasReason;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::kMaxTestWait;

Result<void> probe(const std::string& script, const Call& call = {},
                   std::chrono::milliseconds limit = kMaxTestWait) {
  return run_probe(call, {"/bin/sh", "-c", script, "sh"}, "/a file", limit);
}

TEST(ProbeProcess, SuccessIsSuccess) { EXPECT_THAT(probe("exit 0"), IsOk()); }

TEST(ProbeProcess, PathIsTheLastArgument) {
  EXPECT_THAT(probe("test \"$1\" = '/a file' && test $# = 1"), IsOk());
}

TEST(ProbeProcess, FailureTellsStatusAndLastLine) {
  const auto result = probe("echo first >&2; echo 'no such tensor' >&2; exit 3");
  ASSERT_THAT(result, HasReason("model_probe_failed"));
  EXPECT_THAT(result.error().message, HasSubstr("no such tensor"));
  EXPECT_THAT(result.error().message, ::testing::Not(HasSubstr("first")));
  EXPECT_EQ(result.error().details->at("exit_code"), 3);
}

TEST(ProbeProcess, CrashTellsTheSignal) {
  const auto result = probe("kill -SEGV $$");
  ASSERT_THAT(result, HasReason("model_probe_failed"));
  EXPECT_EQ(result.error().details->at("signal"), SIGSEGV);
}

TEST(ProbeProcess, MissingCommandIsAnError) {
  EXPECT_THAT(run_probe({}, {"/no/such/program"}, "x", kMaxTestWait),
              HasReason("model_probe_failed"));
  EXPECT_THAT(run_probe({}, {}, "x", kMaxTestWait), HasReason("model_probe_failed"));
}

TEST(ProbeProcess, MuchOutputDoesNotBlockIt) {
  EXPECT_THAT(probe("head -c 300000 /dev/zero | tr '\\0' x >&2; exit 0"), IsOk());
}

TEST(ProbeProcess, ChildReadsNothingAndItsStdoutIsDropped) {
  EXPECT_THAT(probe("read line && exit 1; echo noise; exit 0"), IsOk());
}

TEST(ProbeProcess, HangIsEndedByTheLimit) {
  const auto result = probe("sleep 1000", {}, std::chrono::milliseconds(50));
  ASSERT_THAT(result, HasReason("model_probe_failed"));
  EXPECT_THAT(result.error().message, HasSubstr("50 ms"));
}

TEST(ProbeProcess, HangIsEndedByTheCall) {
  EXPECT_THAT(probe("sleep 1000", {{}, Deadline::after(std::chrono::milliseconds(50))}),
              HasErrorCode(ErrorCode::kDeadlineExceeded));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THAT(probe("sleep 1000", {stop.get_token(), {}}), HasErrorCode(ErrorCode::kCancelled));
  // No child is left behind.
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace ingle
