#include "ingle/testing/recording_sink.h"

#include <gtest/gtest.h>

namespace ingle::testing {
namespace {

TEST(RecordingSink, KeepsAllDeltasAndJoinsTheText) {
  RecordingSink sink;
  sink.on_delta(TextDelta{"a"});
  sink.on_delta(ReasoningDelta{"why"});
  sink.on_delta(TextDelta{"b"});
  EXPECT_EQ(sink.text(), "ab");
  ASSERT_EQ(sink.deltas().size(), 3U);
  EXPECT_EQ(sink.deltas()[1], Delta(ReasoningDelta{"why"}));
}

TEST(RecordingSink, ObserverMayLookAtTheSink) {
  std::string seen;
  RecordingSink* self = nullptr;
  RecordingSink sink([&](const Delta&) { seen += self->text() + ";"; });
  self = &sink;
  sink.on_delta(TextDelta{"a"});
  sink.on_delta(TextDelta{"b"});
  EXPECT_EQ(seen, "a;ab;");
}

}  // namespace
}  // namespace ingle::testing
