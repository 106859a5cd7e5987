// Loading, as far as it goes without a real model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>

#include "engine_llama/model_fixture.h"
#include "gguf/gguf_test_writer.h"
#include "ingle/testing/matchers.h"
#include "ingle/testing/temp_dir.h"

namespace ingle {
namespace {

using testing::HasErrorCode;
using testing::HasReason;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::small_gguf;
using testing::test_backend;

class LlamaLoad : public ::testing::Test {
 protected:
  Result<std::shared_ptr<LanguageModel>> load(const std::filesystem::path& path,
                                              const Call& call = {}) {
    LlamaModelOptions options;
    options.path = path;
    options.threads = 1;
    return load_llama_model(call, test_backend(), options, null_log());
  }
  Result<std::shared_ptr<LanguageModel>> load_bytes(std::string_view bytes) {
    return load(folder_.write("model.gguf", bytes));
  }

  testing::TempDir folder_;
};

TEST(LlamaBackendTest, OneAtATime) {
  EXPECT_THAT(test_backend()->version(), Not(::testing::IsEmpty()));
  EXPECT_THAT(LlamaBackend::start(null_log()), HasReason("backend_running"));
}

TEST(LlamaBackendTest, KnowsItsDevices) {
  ASSERT_FALSE(test_backend()->devices().empty());
  EXPECT_EQ(test_backend()->devices().back().name, "CPU");
  EXPECT_THAT(test_backend()->system_info(), HasSubstr("CPU"));
}

TEST_F(LlamaLoad, WhatIsNoModelIsNamedBeforeLlamaSeesIt) {
  EXPECT_THAT(load(folder_.path() / "none.gguf"), HasReason("model_not_found"));
  EXPECT_THAT(load(folder_.path()), HasReason("model_is_folder"));
  EXPECT_THAT(load_bytes(""), HasReason("model_empty"));
  EXPECT_THAT(load_bytes("hello"), HasReason("model_not_gguf"));
  const std::string bytes = small_gguf().bytes();
  EXPECT_THAT(load_bytes(std::string_view(bytes).substr(0, bytes.size() - 1)),
              HasReason("model_truncated"));
  EXPECT_THAT(load_bytes(small_gguf("bert").bytes()), HasReason("model_is_embedding"));
}

TEST_F(LlamaLoad, UnknownArchitectureIsUnsupported) {
  const auto model = load_bytes(small_gguf("brand-new").bytes());
  EXPECT_THAT(model, HasErrorCode(ErrorCode::kUnsupported));
  ASSERT_THAT(model, HasReason("architecture_unsupported"));
  EXPECT_THAT(model.error().message, HasSubstr("brand-new"));
}

TEST_F(LlamaLoad, FailureIsExplainedInLlamasWords) {
  const auto model = load_bytes(small_gguf().bytes());
  EXPECT_THAT(model, HasErrorCode(ErrorCode::kInternal));
  ASSERT_THAT(model, HasReason("model_load_failed"));
  EXPECT_THAT(model.error().message, HasSubstr("llama.cpp says: "));
}

TEST_F(LlamaLoad, StoppedBeforeItStarts) {
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THAT(load(folder_.path() / "none.gguf", {stop.get_token(), {}}),
              HasErrorCode(ErrorCode::kCancelled));
}

TEST_F(LlamaLoad, HugeContextDoesNotFitInMemory) {
  LlamaModelOptions options;
  options.path = folder_.write("model.gguf", testing::GgufWriter()
                                                 .text("general.architecture", "llama")
                                                 .number("llama.context_length", 1U << 23U)
                                                 .number("llama.block_count", 1U << 10U)
                                                 .number("llama.embedding_length", 1U << 16U)
                                                 .number("llama.attention.head_count", 64)
                                                 .bytes());
  options.context_window = 1 << 23;
  EXPECT_THAT(load_llama_model({}, test_backend(), options, null_log()),
              HasReason("model_too_large"));
}

}  // namespace
}  // namespace ingle
