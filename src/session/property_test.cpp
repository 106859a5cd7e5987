/// What holds for every session, tried on random ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "ingle/session/state.h"
#include "ingle/session/views.h"
#include "ingle/testing/property_runs.h"
#include "session/random_log.h"

namespace ingle {
namespace {

using session_samples::RandomLog;

constexpr int kLogs = 150;
constexpr std::size_t kLength = 120;

/// Calls `use` with each of some random logs.
template <class Use>
void for_each_log(Use use) {
  for (std::uint32_t seed = 1; seed <= static_cast<std::uint32_t>(testing::property_runs(kLogs));
       ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    use(RandomLog(seed).make(kLength));
  }
}

TEST(SessionProperties, TheRandomLogsHaveEveryKnownType) {
  std::set<std::string> types;
  for_each_log([&](const std::vector<Event>& log) {
    for (const Event& event : log) {
      types.emplace(event_type(event.body));
    }
  });
  EXPECT_EQ(types.size(), std::variant_size_v<EventBody> - 1);
}

TEST(SessionProperties, EveryEventComesBackEqual) {
  for_each_log([](const std::vector<Event>& log) {
    for (const Event& event : log) {
      const auto text = encode_event(event);
      ASSERT_TRUE(text.ok());
      const auto read = decode_event(*text);
      ASSERT_TRUE(read.ok()) << read.error().message << "\n" << *text;
      ASSERT_EQ(*read, event) << *text;
      ASSERT_EQ(*encode_event(*read), *text);
    }
  });
}

TEST(SessionProperties, FoldingInTwoPartsIsFoldingAtOnce) {
  for_each_log([](const std::vector<Event>& log) {
    const auto whole = fold(log);
    ASSERT_TRUE(whole.ok()) << whole.error().message;
    for (const std::size_t cut : {std::size_t{1}, log.size() / 3, log.size() - 1}) {
      auto state = fold(std::span(log).first(cut));
      ASSERT_TRUE(state.ok());
      for (const Event& event : std::span(log).subspan(cut)) {
        const auto applied = apply(*state, event);
        ASSERT_TRUE(applied.ok()) << applied.error().message;
      }
      ASSERT_EQ(*state, *whole);
    }
  });
}

/// Asking and applying agree, for events that fit and for such as come from another log.
TEST(SessionProperties, CheckingSaysWhatApplyingWouldDo) {
  std::vector<Event> other;
  std::size_t refused = 0;
  for_each_log([&](const std::vector<Event>& log) {
    SessionState state;
    for (std::size_t i = 0; i < log.size(); ++i) {
      std::vector<Event> group = {log[i]};
      for (std::size_t k = 0; k < i % 3 && !other.empty(); ++k) {
        group.push_back(other[(i + k * 7) % other.size()]);
        group.back().seq = group.front().seq + static_cast<std::int64_t>(k) + 1;
      }
      SessionState applied = state;
      const bool fits = std::ranges::all_of(
          group, [&](const Event& event) { return apply(applied, event).ok(); });
      ASSERT_EQ(check_events(state, group).ok(), fits) << "event " << i + 1;
      refused += fits ? 0 : 1;
      ASSERT_TRUE(apply(state, log[i]).ok());
    }
    other = log;
  });
  EXPECT_GT(refused, 100U);
}

TEST(SessionProperties, NoCallIsShownWithoutItsResult) {
  for_each_log([](const std::vector<Event>& log) {
    SessionState state;
    for (const Event& event : log) {
      ASSERT_TRUE(apply(state, event).ok());
      const std::vector<Message> shown = context_view(state);
      std::size_t place = 0;
      while (place < shown.size()) {
        const Message& message = shown[place++];
        ASSERT_NE(message.role, Role::kTool) << "a result without a call";
        for (const ToolCall& call : message.tool_calls) {
          ASSERT_LT(place, shown.size());
          ASSERT_EQ(shown[place].role, Role::kTool);
          ASSERT_EQ(shown[place].tool_call_id, call.id);
          ++place;
        }
      }
    }
  });
}

TEST(SessionProperties, ResultsStandBehindTheirReplyInTheTranscript) {
  for_each_log([](const std::vector<Event>& log) {
    const auto state = fold(log);
    ASSERT_TRUE(state.ok());
    for (std::size_t i = 0; i < state->transcript.size(); ++i) {
      const Message& message = state->transcript[i];
      std::size_t place = i + 1;
      for (const ToolCall& call : message.tool_calls) {
        if (place < state->transcript.size() && state->transcript[place].tool_call_id == call.id) {
          ++place;
        }
      }
      if (message.role == Role::kAssistant && place < state->transcript.size()) {
        ASSERT_NE(state->transcript[place].role, Role::kTool) << "out of the order of the calls";
      }
    }
  });
}

/// What a model was shown when it owed a reply is the beginning of what it is shown the next time.
TEST(SessionProperties, AContextOnlyGrows) {
  for_each_log([](const std::vector<Event>& log) {
    SessionState state;
    std::vector<Message> before;
    for (const Event& event : log) {
      ASSERT_TRUE(apply(state, event).ok());
      if (!needs_reply(state)) {
        continue;
      }
      const std::vector<Message> shown = context_view(state);
      ASSERT_GE(shown.size(), before.size());
      ASSERT_TRUE(std::equal(before.begin(), before.end(), shown.begin()));
      before = shown;
    }
  });
}

TEST(SessionProperties, ATranscriptIsNeverShortened) {
  for_each_log([](const std::vector<Event>& log) {
    SessionState state;
    for (const Event& event : log) {
      const std::size_t before = state.transcript.size();
      ASSERT_TRUE(apply(state, event).ok());
      ASSERT_GE(state.transcript.size(), before);
    }
  });
}

}  // namespace
}  // namespace ingle
