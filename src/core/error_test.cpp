#include "ingle/core/error.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

namespace ingle {
namespace {

constexpr int kCodes = static_cast<int>(ErrorCode::kInternal) + 1;

TEST(ErrorCode, EveryCodeRoundTripsThroughItsName) {
  std::set<std::string_view> names;
  for (int i = 0; i < kCodes; ++i) {
    const auto code = static_cast<ErrorCode>(i);
    EXPECT_EQ(error_code_from(to_string(code)), code) << to_string(code);
    names.insert(to_string(code));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kCodes));
}

TEST(ErrorCode, UnknownNamesBecomeInternal) {
  EXPECT_EQ(error_code_from("no_such_code"), ErrorCode::kInternal);
  EXPECT_EQ(error_code_from(""), ErrorCode::kInternal);
  EXPECT_EQ(error_code_from("Cancelled"), ErrorCode::kInternal);
}

TEST(Error, ContextComesBeforeTheMessage) {
  const Error error{ErrorCode::kNotFound, "file_not_found", "no such file", {}};
  const Error framed = error.context("loading model x").context("starting");
  EXPECT_EQ(framed.message, "starting: loading model x: no such file");
  EXPECT_EQ(framed.code, ErrorCode::kNotFound);
  EXPECT_EQ(framed.reason, "file_not_found");
}

TEST(Error, RoundTripsThroughJson) {
  const Error error{ErrorCode::kConflict, "log_moved", "another writer was faster",
                    json{{"expected", 3}, {"found", 4}}};
  EXPECT_EQ(Error::from_json(error.to_json()), error);
}

TEST(Error, JsonHasNoDetailsWhenThereAreNone) {
  const Error error{ErrorCode::kUnavailable, "busy", "try later", {}};
  EXPECT_EQ(error.to_json().dump(),
            R"({"code":"unavailable","message":"try later","reason":"busy"})");
  EXPECT_EQ(Error::from_json(error.to_json()), error);
}

TEST(Error, ACauseIsKeptAndComparedByValue) {
  const Error inner{ErrorCode::kUnavailable, "disk_failed", "the disk does not answer", {}};
  const Error outer{ErrorCode::kInternal, "store_failed", "nothing was stored", {}};
  const Error caused = outer.because(inner);
  EXPECT_EQ(caused.message, outer.message);
  EXPECT_EQ(*caused.cause, inner);
  EXPECT_EQ(caused, outer.because(inner));
  EXPECT_NE(caused, outer);
  EXPECT_NE(caused, outer.because(outer));
  EXPECT_EQ(Error::from_json(caused.to_json()), caused);
  EXPECT_EQ(*caused.context("closing").cause, inner);
}

TEST(Error, MissingAndMistypedMembersBecomeEmpty) {
  const Error error = Error::from_json(json{{"reason", 7}});
  EXPECT_EQ(error, Error{});
  EXPECT_EQ(Error::from_json(json::array({1})), Error{});
  EXPECT_EQ(Error::from_json({}), Error{});
}

}  // namespace
}  // namespace ingle
