#include "cli/chat/input_history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "ingle/testing/matchers.h"
#include "ingle/testing/temp_dir.h"

namespace ingle::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class History : public ::testing::Test {
 protected:
  InputHistory open() {
    auto history = InputHistory::open(file_);
    EXPECT_TRUE(history);
    return *std::move(history);
  }

  testing::TempDir folder_;
  const fs::path file_ = folder_.path() / "history";
};

TEST_F(History, IsThereTheNextTime) {
  InputHistory history = open();
  EXPECT_THAT(history.entries(), IsEmpty());
  EXPECT_TRUE(*history.add("one"));
  EXPECT_TRUE(*history.add("two\nlines \"quoted\""));
  EXPECT_THAT(open().entries(), ElementsAre("one", "two\nlines \"quoted\""));
}

TEST_F(History, IsReadableByItsOwnerAlone) {
  std::ofstream(file_) << "\"old\"\n";
  fs::permissions(file_, fs::perms::all);
  EXPECT_TRUE(*open().add("new"));
  EXPECT_EQ(fs::status(file_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(History, LeavesOutWhatIsEmptyLongOrARepetition) {
  InputHistory history = open();
  EXPECT_FALSE(*history.add(""));
  EXPECT_TRUE(*history.add("one"));
  EXPECT_FALSE(*history.add("one"));
  EXPECT_FALSE(*history.add(std::string(kMaxHistoryEntryBytes + 1, 'x')));
  EXPECT_THAT(open().entries(), ElementsAre("one"));
}

TEST_F(History, LeavesOutWhatIsNoEntry) {
  std::ofstream(file_) << "\"one\"\nnonsense\n17\n\n\"two\"\n\"cut";
  EXPECT_THAT(open().entries(), ElementsAre("one", "two"));
}

TEST_F(History, IsBounded) {
  {
    std::ofstream out(file_);
    for (std::size_t i = 0; i < 2 * kMaxHistoryEntries + 1; ++i) {
      out << '"' << i << "\"\n";
    }
  }
  const auto before = fs::file_size(file_);
  const InputHistory history = open();
  ASSERT_EQ(history.entries().size(), kMaxHistoryEntries);
  EXPECT_EQ(history.entries().back(), std::to_string(2 * kMaxHistoryEntries));
  EXPECT_LT(fs::file_size(file_), before * 2 / 3);
  EXPECT_EQ(open().entries(), history.entries());
}

TEST_F(History, SaysThatItCannotBeKept) {
  auto history = InputHistory::open(folder_.path() / "missing" / "history");
  ASSERT_TRUE(history);
  EXPECT_THAT(history->add("one"), testing::HasReason("history_failed"));
}

}  // namespace
}  // namespace ingle::cli
