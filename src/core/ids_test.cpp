#include "ingle/core/ids.h"

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <type_traits>

namespace ingle {
namespace {

constexpr std::string_view kDigits = "0123456789abcdefghjkmnpqrstvwxyz";

std::int64_t unix_milliseconds() {
  return std::chrono::floor<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

TEST(Id, KindsDoNotMix) {
  static_assert(!std::is_convertible_v<SessionId, RunId>);
  static_assert(!std::is_constructible_v<SessionId, RunId>);
  static_assert(!std::is_convertible_v<std::string, SessionId>);
}

TEST(Id, ComparesByItsText) {
  EXPECT_EQ(RunId("a"), RunId("a"));
  EXPECT_LT(RunId("a"), RunId("b"));
  EXPECT_TRUE(RunId().empty());
}

TEST(NewSessionId, Is26Base32Characters) {
  const SessionId id = new_session_id();
  EXPECT_EQ(id.str().size(), 26U);
  EXPECT_EQ(id.str().find_first_not_of(kDigits), std::string::npos) << id.str();
}

TEST(NewSessionId, BeginsWithTheTimeOfCreation) {
  const std::int64_t before = unix_milliseconds();
  const SessionId id = new_session_id();
  const std::int64_t after = unix_milliseconds();
  std::int64_t time = 0;
  for (const char c : id.str().substr(0, 10)) {
    time = time * 32 + static_cast<std::int64_t>(kDigits.find(c));
  }
  EXPECT_LE(before, time);
  EXPECT_LE(time, after);
}

TEST(NewSessionId, IsNeverTheSameTwice) {
  constexpr std::size_t kCount = 1000;
  std::set<SessionId> ids;
  for (std::size_t i = 0; i < kCount; ++i) {
    ids.insert(new_session_id());
  }
  EXPECT_EQ(ids.size(), kCount);
}

TEST(NewSessionId, CanBeParsed) {
  const SessionId id = new_session_id();
  const auto parsed = parse_session_id(id.str());
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(*parsed, id);
}

TEST(ParseSessionId, AcceptsWhatTheContractAllows) {
  for (const std::string& text : {std::string("a"), std::string("A.b_c-9"), std::string("_x"),
                                  std::string("9"), std::string(128, 'z')}) {
    const auto parsed = parse_session_id(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(parsed->str(), text);
  }
}

TEST(ParseSessionId, RefusesEverythingElse) {
  using namespace std::string_literals;
  for (const std::string& text : {""s, "."s, ".."s, ".hidden"s, "-rf"s, "a/b"s, "../a"s, "a b"s,
                                  "a\n"s, "a\0b"s, "caf\xC3\xA9"s, "a:b"s, std::string(129, 'z')}) {
    const auto parsed = parse_session_id(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(parsed.error().reason, "session_id_invalid");
  }
}

}  // namespace
}  // namespace ingle
