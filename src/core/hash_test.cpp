#include "ingle/core/hash.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace ingle {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEmptyDigest =
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr std::string_view kAbcDigest =
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr std::string_view kMillionAsDigest =
    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

class Sha256File : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "ingle_hash_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] fs::path file_of(std::string_view bytes) const {
    fs::path path = folder_ / "data.bin";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  fs::path folder_;
};

TEST(Sha256Hex, MatchesTheStandardVectors) {
  EXPECT_EQ(sha256_hex(""), kEmptyDigest);
  EXPECT_EQ(sha256_hex("abc"), kAbcDigest);
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')), kMillionAsDigest);
}

TEST_F(Sha256File, IsTheDigestOfTheBytes) {
  const auto digest = sha256_file({}, file_of("abc"));
  ASSERT_TRUE(digest.ok()) << digest.error().message;
  EXPECT_EQ(*digest, kAbcDigest);
}

TEST_F(Sha256File, EmptyFileHasTheEmptyDigest) {
  const auto digest = sha256_file({}, file_of(""));
  ASSERT_TRUE(digest.ok()) << digest.error().message;
  EXPECT_EQ(*digest, kEmptyDigest);
}

TEST_F(Sha256File, BlockBoundariesDoNotShow) {
  constexpr std::size_t kBlock = std::size_t{1} << 20U;
  for (const std::size_t size : {kBlock - 1, kBlock, kBlock + 1, 2 * kBlock}) {
    const std::string bytes(size, 'x');
    const auto digest = sha256_file({}, file_of(bytes));
    ASSERT_TRUE(digest.ok()) << digest.error().message;
    EXPECT_EQ(*digest, sha256_hex(bytes)) << size;
  }
}

TEST_F(Sha256File, MissingFileIsNotFound) {
  const auto digest = sha256_file({}, folder_ / "missing");
  ASSERT_FALSE(digest.ok());
  EXPECT_EQ(digest.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(digest.error().reason, "file_not_found");
}

TEST_F(Sha256File, MessageNamesTheFileButNotItsFolder) {
  const auto digest = sha256_file({}, folder_ / "missing");
  ASSERT_FALSE(digest.ok());
  EXPECT_NE(digest.error().message.find("'missing'"), std::string::npos);
  EXPECT_EQ(digest.error().message.find(folder_.string()), std::string::npos);
}

TEST_F(Sha256File, FolderCannotBeRead) {
  const auto digest = sha256_file({}, folder_);
  ASSERT_FALSE(digest.ok());
  EXPECT_EQ(digest.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(digest.error().reason, "file_read_failed");
}

TEST_F(Sha256File, CancelledCallIsNotStarted) {
  CancelSource source;
  source.cancel(CancelReason::kUser);
  const auto digest = sha256_file({.stop = source.token(), .deadline = {}}, file_of("abc"));
  ASSERT_FALSE(digest.ok());
  EXPECT_EQ(digest.error().code, ErrorCode::kCancelled);
}

}  // namespace
}  // namespace ingle
