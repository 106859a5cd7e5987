#include "engine_llama/load_checks.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ingle/testing/matchers.h"

namespace ingle {
namespace {

using testing::HasErrorCode;
using testing::HasReason;
using testing::IsOk;
using testing::IsOkAndHolds;

GgufHeader header_of(std::string architecture) {
  GgufHeader header;
  header.architecture = std::move(architecture);
  return header;
}

TEST(LoadChecks, OptionsHaveRanges) {
  EXPECT_THAT(check_load_options({}), IsOk());
  EXPECT_THAT(check_load_options({.context_window = 16, .threads = 1, .batch_size = 1}), IsOk());
  EXPECT_THAT(check_load_options({.context_window = -1}), HasReason("option_out_of_range"));
  EXPECT_THAT(check_load_options({.context_window = 15}), HasReason("option_out_of_range"));
  EXPECT_THAT(check_load_options({.threads = -1}), HasReason("option_out_of_range"));
  EXPECT_THAT(check_load_options({.threads = 513}), HasReason("option_out_of_range"));
  EXPECT_THAT(check_load_options({.batch_size = 0}), HasReason("option_out_of_range"));
  EXPECT_THAT(check_load_options({.batch_size = 8193}), HasReason("option_out_of_range"));
}

TEST(LoadChecks, ModelsThatCannotChatAreRefused) {
  EXPECT_THAT(check_architecture(header_of("llama")), IsOk());
  EXPECT_THAT(check_architecture(header_of("brand-new")), IsOk());  // llama.cpp decides
  for (const char* name : {"bert", "nomic-bert", "jina-bert-v2", "t5encoder"}) {
    EXPECT_THAT(check_architecture(header_of(name)), HasReason("model_is_embedding")) << name;
  }
  GgufHeader pooled = header_of("qwen3");
  pooled.has_pooling = true;
  EXPECT_THAT(check_architecture(pooled), HasReason("model_is_embedding"));
  for (const char* name : {"", "clip", "t5", "llada"}) {
    EXPECT_THAT(check_architecture(header_of(name)), HasReason("architecture_unsupported")) << name;
  }
}

TEST(LoadChecks, ContextWindowIsTheModelsOwnUpTo8192) {
  EXPECT_THAT(choose_context_window(0, 2048), IsOkAndHolds(2048));
  EXPECT_THAT(choose_context_window(0, 131072), IsOkAndHolds(8192));
  EXPECT_THAT(choose_context_window(0, 0), IsOkAndHolds(8192));
  EXPECT_THAT(choose_context_window(32768, 131072), IsOkAndHolds(32768));
  EXPECT_THAT(choose_context_window(4096, 2048), HasReason("option_out_of_range"));
}

TEST(LoadChecks, MemoryIsFilePlusCacheAndSome) {
  GgufHeader header;
  header.file_bytes = 1000;
  header.kv_values_per_token = 100;
  EXPECT_EQ(estimate_memory(header, 50) - estimate_memory(header, 0), 100U * 50 * 2);
  EXPECT_GT(estimate_memory(header, 0), 1000U);
  header.kv_values_per_token = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(estimate_memory(header, 8192), std::uint64_t{1} << 63U);
}

TEST(LoadChecks, TooLittleMemoryTellsBothNumbers) {
  EXPECT_THAT(check_memory(10, 10), IsOk());
  EXPECT_THAT(check_memory(10, 0), IsOk());  // unknown
  const auto refused = check_memory(11, 10);
  EXPECT_THAT(refused, HasErrorCode(ErrorCode::kResourceExhausted));
  EXPECT_THAT(refused, HasReason("model_too_large"));
  EXPECT_EQ(refused.error().details->at("needed_bytes"), 11);
  EXPECT_EQ(refused.error().details->at("available_bytes"), 10);
}

}  // namespace
}  // namespace ingle
