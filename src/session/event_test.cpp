#include "ingle/session/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "ingle/session/state.h"
#include "session/sample_events.h"

namespace ingle {
namespace {

using session_samples::event;
using session_samples::events;
using session_samples::whole_session;
using testing::HasSubstr;

TEST(EventCodec, TheSampleHasEveryKnownType) {
  std::set<std::size_t> types;
  for (const EventBody& body : whole_session()) {
    types.insert(body.index());
  }
  EXPECT_EQ(types.size(), std::variant_size_v<EventBody> - 1);
}

TEST(EventCodec, EveryEventComesBackEqual) {
  for (const Event& event : events(whole_session())) {
    const auto text = encode_event(event);
    ASSERT_TRUE(text.ok());
    const auto read = decode_event(*text);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, event) << *text;
  }
}

TEST(EventCodec, EnvelopeIsTheDocumentedOne) {
  const Event event{7, Timestamp(std::chrono::milliseconds(1'796'065'002'123)),
                    GateDecided{CallId("c1"), GateEffect::kAsk, "default", "d"}};
  EXPECT_EQ(*encode_event(event),
            R"({"call_id":"c1","digest":"d","effect":"ask","rule":"default","seq":7,)"
            R"("time":"2026-11-30T18:56:42.123Z","type":"gate_decided"})");
}

TEST(EventCodec, EveryMemberButFreeJsonIsNeeded) {
  // Members that may be null or absent.
  const std::set<std::string> free = {"value", "state_change", "patch", "state", "settings"};
  for (const Event& event : events(whole_session())) {
    const json whole = *to_json(event);
    for (const auto& [name, value] : whole.items()) {
      if (free.contains(name)) {
        continue;
      }
      json part = whole;
      part.erase(name);
      const auto read = event_from_json(part);
      ASSERT_FALSE(read.ok()) << part.dump();
      EXPECT_EQ(read.error().code, ErrorCode::kDataLoss);
      EXPECT_EQ(read.error().reason, "event_invalid");
      EXPECT_THAT(read.error().message, HasSubstr(name));
    }
  }
}

TEST(EventCodec, AMemberOfTheWrongTypeIsNamed) {
  const std::set<std::string> free = {"value", "state_change", "patch", "state", "settings"};
  for (const Event& event : events(whole_session())) {
    const json whole = *to_json(event);
    for (const auto& [name, value] : whole.items()) {
      if (free.contains(name)) {
        continue;
      }
      json wrong = whole;
      wrong[name] = json::array({json::array()});
      const auto read = event_from_json(wrong);
      ASSERT_FALSE(read.ok()) << wrong.dump();
      EXPECT_THAT(read.error().message, HasSubstr(name));
    }
  }
}

TEST(EventCodec, UnknownNamesOfValuesAreRefused) {
  const std::pair<const char*, std::set<std::string>> members[] = {
      {"effect", {"gate_decided"}},         {"kind", {"interrupt_raised"}},
      {"decision", {"interrupt_resolved"}}, {"source", {"tool_finished"}},
      {"finish_reason", {"model_replied"}},
  };
  for (const auto& [member, types] : members) {
    for (const Event& event : events(whole_session())) {
      if (types.contains(std::string(event_type(event.body)))) {
        json changed = *to_json(event);
        changed[member] = "later";
        EXPECT_FALSE(event_from_json(changed).ok()) << changed.dump();
      }
    }
  }
}

TEST(EventCodec, UnknownMembersAreIgnored) {
  for (const Event& event : events(whole_session())) {
    json more = *to_json(event);
    more["of_a_newer_version"] = {1, 2};
    const auto read = event_from_json(more);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(*read, event);
  }
}

TEST(EventCodec, AnUnknownTypeIsKeptAsItIs) {
  const json content = {{"seq", 3},
                        {"time", "2026-11-30T18:56:42.123Z"},
                        {"type", "context_edited"},
                        {"edits", {1, 2, 3}}};
  const auto read = event_from_json(content);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->seq, 3);
  EXPECT_EQ(event_type(read->body), "context_edited");
  EXPECT_EQ(to_json(*read), Json(content));
  EXPECT_EQ(*decode_event(*encode_event(*read)), *read);
}

TEST(EventCodec, WhatIsNoEventIsRefused) {
  for (const char* text :
       {"", "{", "[]", "1", "null", "{}", R"({"seq":1,"time":"2026-11-30T18:56:42.123Z"})",
        R"({"seq":1.5,"time":"2026-11-30T18:56:42.123Z","type":"x"})",
        R"({"seq":1,"time":"yesterday","type":"x"})",
        R"({"seq":1,"time":"2026-11-30T18:56:42.123Z","type":1})",
        R"({"seq":9223372036854775808,"time":"2026-11-30T18:56:42.123Z","type":"x"})"}) {
    const auto read = decode_event(text);
    ASSERT_FALSE(read.ok()) << text;
    EXPECT_EQ(read.error().code, ErrorCode::kDataLoss);
    EXPECT_EQ(read.error().reason, "event_invalid");
  }
}

TEST(EventCodec, TooDeepAnEventIsNotEncoded) {
  json deep = 1;
  for (std::size_t i = 0; i < kMaxEventDepth - 1; ++i) {
    deep = json::array({std::move(deep)});
  }
  EXPECT_TRUE(encode_event(event(1, ModeStateSet{deep})).ok());
  EXPECT_TRUE(decode_event(*encode_event(event(1, ModeStateSet{deep}))).ok());
  const auto refused = encode_event(event(1, ModeStateSet{json::array({deep})}));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(refused.error().reason, "event_too_large");
}

TEST(EventCodec, TheExamplesOfTheDocumentationAreExact) {
  std::ifstream document(INGLE_EVENTS_DOCUMENT);
  ASSERT_TRUE(document.is_open());
  std::map<std::int64_t, Event> log;
  std::set<std::size_t> types;
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with("{\"seq\"")) {
      continue;
    }
    const auto event = decode_event(line);
    ASSERT_TRUE(event.ok()) << event.error().message << "\n" << line;
    EXPECT_EQ(to_json(*event), *parse_json(line));
    log.emplace(event->seq, *event);
    types.insert(event->body.index());
  }
  EXPECT_EQ(types.size(), std::variant_size_v<EventBody> - 1);
  SessionState state;
  for (const auto& [seq, event] : log) {
    const auto applied = apply(state, event);
    ASSERT_TRUE(applied.ok()) << applied.error().message;
  }
}

TEST(EventCodec, BytesThatAreNotUtf8AreReplaced) {
  const auto text = encode_event(event(1, ModelCalled{"a\xFF"}));
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(std::get<ModelCalled>(decode_event(*text)->body).model, "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace ingle
