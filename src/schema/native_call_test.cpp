#include "schema/native_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

namespace ingle::schema {
namespace {

using testing::HasSubstr;

TEST(NativeCall, PanicsBecomeErrorsAndPrintNothing) {
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) {
    NativeText error;
    const Result<void> result = check_native(ingle_schema_selftest_panic(error.out()), error);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().code, ErrorCode::kInternal);
    EXPECT_EQ(result.error().reason, "schema_core_failed");
    EXPECT_THAT(result.error().message, HasSubstr("a panic on purpose"));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(NativeCall, TextThatIsNotUtf8IsRefused) {
  const std::string text = "{\"a\":\"\xff\"}";
  ingle_schema* handle = nullptr;
  NativeText error;
  EXPECT_EQ(ingle_schema_compile(text.data(), text.size(), &handle, error.out()),
            INGLE_SCHEMA_SCHEMA_INVALID);
  EXPECT_EQ(handle, nullptr);
  EXPECT_THAT(std::string(error.view()), HasSubstr("UTF-8 at byte 6"));
}

TEST(NativeCall, NullHandlesMayBeFreed) {
  ingle_schema_free(nullptr);
  ingle_tokens_free(nullptr);
  ingle_constraint_free(nullptr);
  ingle_matcher_free(nullptr);
  ingle_schema_text_free({nullptr, 0});
}

}  // namespace
}  // namespace ingle::schema
