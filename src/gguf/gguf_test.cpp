#include "ingle/gguf/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gguf/gguf_test_writer.h"
#include "ingle/testing/property_runs.h"
#include "ingle/testing/temp_dir.h"

namespace ingle {
namespace {

using testing::GgufWriter;
using testing::small_gguf;
using testing::TempDir;

class Gguf : public ::testing::Test {
 protected:
  Result<GgufHeader> read(std::string_view bytes) {
    return read_gguf_header(folder_.write("model.gguf", bytes));
  }
  std::string reason_of(std::string_view bytes) {
    const auto header = read(bytes);
    return header.ok() ? "ok" : header.error().reason;
  }

  TempDir folder_;
};

TEST_F(Gguf, HeaderIsRead) {
  const std::string bytes = small_gguf().bytes();
  const auto header = read(bytes);
  ASSERT_TRUE(header.ok()) << header.error().message;
  EXPECT_EQ(header->version, 3U);
  EXPECT_EQ(header->file_bytes, bytes.size());
  EXPECT_EQ(header->tensor_count, 2U);
  EXPECT_EQ(header->parameters, 8U * 3 + 5);
  EXPECT_EQ(header->architecture, "llama");
  EXPECT_EQ(header->name, "Tiny");
  EXPECT_EQ(header->license, "apache-2.0");
  EXPECT_EQ(header->context_length, 2048);
  EXPECT_TRUE(header->has_chat_template);
  EXPECT_FALSE(header->has_pooling);
  // 2 layers, 2 heads for keys and values, each 64 / 4 wide.
  EXPECT_EQ(header->kv_values_per_token, 2 * 2 * (16 + 16));
}

TEST_F(Gguf, VersionTwoIsRead) { EXPECT_TRUE(read(small_gguf().version(2).bytes()).ok()); }

TEST_F(Gguf, AbsentNumbersAreZero) {
  const auto header = read(GgufWriter().text("general.architecture", "x").bytes());
  ASSERT_TRUE(header.ok());
  EXPECT_EQ(header->context_length, 0);
  EXPECT_EQ(header->kv_values_per_token, 0);
  EXPECT_FALSE(header->has_chat_template);
}

TEST_F(Gguf, HeadsPerLayerAreSummed) {
  const auto header =
      read(GgufWriter()
               .numbers<std::uint32_t>("x.attention.head_count_kv", GgufWriter::kUint32, {1, 0, 3})
               .number("x.block_count", 3)
               .number("x.attention.key_length", 10)
               .number("x.attention.value_length", 6)
               .text("general.architecture", "x")
               .bytes());
  ASSERT_TRUE(header.ok());
  EXPECT_EQ(header->kv_values_per_token, 4 * (10 + 6));
}

TEST_F(Gguf, PoolingMarksAModelForEmbeddings) {
  const auto with = [this](std::uint32_t pooling) {
    return read(small_gguf().number("llama.pooling_type", pooling).bytes())->has_pooling;
  };
  EXPECT_FALSE(with(0));
  EXPECT_TRUE(with(1));
  EXPECT_TRUE(with(4));
}

TEST_F(Gguf, WhatIsNoModelFileIsNamed) {
  EXPECT_EQ(read_gguf_header(folder_.path() / "none").error().reason, "model_not_found");
  EXPECT_EQ(read_gguf_header(folder_.path() / "none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(read_gguf_header(folder_.path()).error().reason, "model_is_folder");
  EXPECT_EQ(reason_of(""), "model_empty");
  EXPECT_EQ(reason_of("# a text file\n"), "model_not_gguf");
  EXPECT_EQ(reason_of("GG"), "model_not_gguf");
  const auto fifo = folder_.path() / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(read_gguf_header(fifo).error().reason, "model_not_gguf");
}

TEST_F(Gguf, GitLfsPointerIsExplained) {
  const auto header = read("version https://git-lfs.github.com/spec/v1\n");
  ASSERT_FALSE(header.ok());
  EXPECT_EQ(header.error().reason, "model_not_gguf");
  EXPECT_THAT(header.error().message, ::testing::HasSubstr("Git LFS"));
}

TEST_F(Gguf, UnreadableFileIsNamed) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "root reads everything";
  }
  const auto path = folder_.write("model.gguf", small_gguf().bytes());
  chmod(path.c_str(), 0);
  EXPECT_EQ(read_gguf_header(path).error().code, ErrorCode::kPermissionDenied);
  EXPECT_EQ(read_gguf_header(path).error().reason, "model_unreadable");
}

TEST_F(Gguf, OtherVersionsAreRefused) {
  for (const std::uint32_t version : {0U, 1U, 4U, 0x03000000U}) {
    EXPECT_EQ(reason_of(small_gguf().version(version).bytes()), "model_version_unsupported")
        << version;
  }
}

TEST_F(Gguf, CutFileTellsBothLengths) {
  std::string bytes = small_gguf().bytes();
  const std::size_t whole = bytes.size();
  bytes.resize(whole - 1);
  const auto header = read(bytes);
  ASSERT_FALSE(header.ok());
  EXPECT_EQ(header.error().reason, "model_truncated");
  EXPECT_EQ(header.error().details->at("expected_bytes"), whole);
  EXPECT_EQ(header.error().details->at("actual_bytes"), whole - 1);
}

TEST_F(Gguf, FileCutAnywhereIsAnError) {
  const std::string bytes = small_gguf().bytes();
  std::set<std::string> reasons;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto header = read(std::string_view(bytes).substr(0, size));
    ASSERT_FALSE(header.ok()) << size;
    EXPECT_FALSE(header.error().message.empty());
    reasons.insert(header.error().reason);
  }
  EXPECT_EQ(reasons, (std::set<std::string>{"model_empty", "model_not_gguf", "model_truncated"}));
}

TEST_F(Gguf, DamagedHeadersAreRefused) {
  constexpr auto kHuge = std::numeric_limits<std::uint64_t>::max();
  const auto preamble = [](std::uint64_t tensors, std::uint64_t keys) {
    return "GGUF" + GgufWriter::bytes_of(std::uint32_t{3}) + GgufWriter::bytes_of(tensors) +
           GgufWriter::bytes_of(keys);
  };
  const auto array = [](std::uint32_t type, std::uint64_t count) {
    return GgufWriter::bytes_of(type) + GgufWriter::bytes_of(count);
  };
  const std::vector<std::pair<const char*, std::string>> cases = {
      {"tensor count", preamble(kHuge, 0)},
      {"key count", preamble(0, kHuge)},
      {"key length", preamble(0, 1) + GgufWriter::bytes_of(kHuge) + std::string(64, 'x')},
      {"empty key", GgufWriter().number("", 1).bytes()},
      {"same key twice", GgufWriter().number("a", 1).number("a", 2).bytes()},
      {"unknown value type", GgufWriter().raw_value("a", 13, "xxxxxxxx").bytes()},
      {"array of arrays", GgufWriter().raw_value("a", 9, array(9, 1)).bytes()},
      {"array of nothing", GgufWriter().raw_value("a", 9, array(99, 1)).bytes()},
      {"array length", GgufWriter().raw_value("a", 9, array(10, kHuge)).bytes()},
      {"alignment 0", small_gguf().number("general.alignment", 0).bytes()},
      {"alignment 48", small_gguf().number("general.alignment", 48).bytes()},
      {"dimensions", GgufWriter().raw_tensor("t", {1, 1, 1, 1, 1}, 0, 0).bytes()},
      {"shape overflow", GgufWriter().raw_tensor("t", {kHuge / 2, 4}, 0, 0).bytes()},
      {"negative extent", GgufWriter().raw_tensor("t", {kHuge}, 0, 0).bytes()},
      {"size overflow", GgufWriter().raw_tensor("t", {kHuge / 2}, 0, 0).bytes()},
      {"end overflow", GgufWriter().raw_tensor("t", {8}, 0, kHuge - 31).bytes()},
      {"offset not aligned", GgufWriter().raw_tensor("t", {8}, 0, 1).bytes()},
      {"part of a block", GgufWriter().raw_tensor("t", {33}, 2, 0).bytes()},
      {"tensor name", GgufWriter().raw_tensor(std::string(2000, 'n'), {1}, 0, 0).bytes()},
  };
  for (const auto& [what, bytes] : cases) {
    EXPECT_EQ(reason_of(bytes), "model_header_invalid") << what;
  }
}

TEST_F(Gguf, TensorBeyondTheFileIsATruncatedFile) {
  EXPECT_EQ(reason_of(small_gguf().raw_tensor("t", {1024}, 0, 0).bytes()), "model_truncated");
  EXPECT_EQ(reason_of(small_gguf().raw_tensor("t", {1}, 0, 1 << 20).bytes()), "model_truncated");
  EXPECT_EQ(reason_of(GgufWriter()
                          .raw_value("a", 9,
                                     GgufWriter::bytes_of(std::uint32_t{4}) +
                                         GgufWriter::bytes_of(std::uint64_t{99}))
                          .bytes()),
            "model_truncated");
}

TEST_F(Gguf, UnknownTensorTypeIsJudgedByItsOffset) {
  EXPECT_EQ(reason_of(small_gguf().raw_tensor("t", {7}, 1000, 0).bytes()), "ok");
  EXPECT_EQ(reason_of(small_gguf().raw_tensor("t", {7}, 1000, 1 << 20).bytes()), "model_truncated");
}

TEST_F(Gguf, FlippedBytesNeverCrashTheReader) {
  const std::string good = small_gguf().bytes();
  std::mt19937 random(7);  // fixed: the same files each time
  for (int round = 0; round < testing::property_runs(3000); ++round) {
    std::string bytes = good;
    const unsigned flips = 1 + random() % 4;
    for (unsigned i = 0; i < flips; ++i) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    }
    const auto header = read_gguf_header(folder_.write("flipped.gguf", bytes));
    EXPECT_TRUE(header.ok() || !header.error().reason.empty());
  }
}

}  // namespace
}  // namespace ingle
