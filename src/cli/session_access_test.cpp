#include "cli/session_access.h"

#include <gtest/gtest.h>

#include <vector>

namespace ingle::cli {
namespace {

std::vector<Event> log_of(std::vector<EventBody> bodies) {
  std::vector<Event> events;
  for (EventBody& body : bodies) {
    events.push_back({.body = std::move(body)});
  }
  return events;
}

const MessageAdded kMessage{Message::user("hello")};
const RunEnded kFailedRun{.outcome = Failed{{.reason = "unavailable"}}};

TEST(SessionAccess, RepliesAreCountedFromTheNewestMessage) {
  EXPECT_EQ(replies_since_message(log_of({})), 0U);
  EXPECT_EQ(replies_since_message(log_of({kMessage, ModelCalled{}, ModelReplied{}, kMessage,
                                          ModelCalled{}, ModelReplied{}, ModelCalled{}})),
            1U);
}

TEST(SessionAccess, ACallThatFailedHasUsedAReply) {
  EXPECT_EQ(replies_since_message(log_of({kMessage, ModelCalled{}, kFailedRun})), 1U);
  // A resume of a failed run begins a new one, without a message of its own.
  EXPECT_EQ(replies_since_message(log_of({kMessage, ModelCalled{}, kFailedRun, RunStarted{},
                                          ModelCalled{}, ModelReplied{}})),
            2U);
}

TEST(SessionAccess, ACallThatNeverCameBackHasNot) {
  EXPECT_EQ(replies_since_message(log_of({kMessage, ModelCalled{}, RunResumed{}, ModelCalled{}})),
            0U);
  EXPECT_EQ(
      replies_since_message(log_of({kMessage, ModelCalled{}, RunEnded{.outcome = Cancelled{}}})),
      0U);
  const RunEnded exhausted{.outcome = Failed{{.reason = "script_exhausted"}}};
  EXPECT_EQ(replies_since_message(log_of({kMessage, ModelCalled{}, exhausted})), 0U);
}

}  // namespace
}  // namespace ingle::cli
