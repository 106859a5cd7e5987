#include "ingle/session_sqlite/sqlite_store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <barrier>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "conformance/session_store_conformance.h"
#include "session_sqlite/sqlite_error.h"

namespace ingle::conformance {
namespace {

namespace fs = std::filesystem;

/// A folder of its own, gone at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "ingle-store-XXXXXX").string();
    EXPECT_NE(::mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  [[nodiscard]] fs::path file() const { return path_ / "sessions.db"; }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::unique_ptr<SessionStore> open_or_null(const fs::path& path) {
  auto store = open_sqlite_store({path});
  EXPECT_TRUE(store.ok()) << (store.ok() ? "" : store.error().message);
  return std::move(store).value_or(nullptr);
}

StoreHarness make_harness() {
  // Shared, so that the folder lives as long as the last way to open it.
  const auto folder = std::make_shared<TemporaryFolder>();
  auto open = [folder] { return open_or_null(folder->file()); };
  return {open(), open};
}

INSTANTIATE_TEST_SUITE_P(Sqlite, SessionStoreConformance, ::testing::Values(make_harness));
INSTANTIATE_TEST_SUITE_P(Sqlite, DurableStoreConformance, ::testing::Values(make_harness));

mode_t mode_of(const fs::path& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777U;
}

class SqliteStoreTest : public ::testing::Test {
 protected:
  /// A store with one session of three events, closed.
  void make_store() {
    const auto store = open_or_null(folder_.file());
    ASSERT_TRUE(store->create(session_).ok());
    ASSERT_TRUE(store->append(session_, 0, some_events(1, 3)).ok());
  }
  /// Does to the file what a hand or a bug would.
  void meddle(const std::string& sql) {
    SQLite::Database(folder_.file().string(), SQLite::OPEN_READWRITE).exec(sql);
  }

  TemporaryFolder folder_;
  const SessionId session_{"s1"};
};

TEST_F(SqliteStoreTest, OnlyTheOwnerMayReadWhatItMakes) {
  const fs::path file = folder_.path() / "a" / "b" / "sessions.db";
  const auto store = open_or_null(file);
  ASSERT_TRUE(store->create(session_).ok());
  EXPECT_EQ(mode_of(file), 0600U);
  EXPECT_EQ(mode_of(file.string() + "-wal"), 0600U);
  EXPECT_EQ(mode_of(folder_.path() / "a"), 0700U);
  EXPECT_EQ(mode_of(folder_.path() / "a" / "b"), 0700U);
}

TEST_F(SqliteStoreTest, TheFileHasTheDocumentedSettings) {
  make_store();
  SQLite::Database database(folder_.file().string());
  EXPECT_EQ(database.execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(database.execAndGet("PRAGMA user_version").getInt(), 1);
  EXPECT_EQ(database.execAndGet("PRAGMA application_id").getInt(), 0x496E676C);
  EXPECT_EQ(database.execAndGet("SELECT group_concat(seq || type) FROM events").getString(),
            "1session_started,2message_added,3message_added");
}

TEST_F(SqliteStoreTest, AStoreOfANewerVersionIsRefusedUntouched) {
  make_store();
  meddle("PRAGMA user_version = 2");
  INGLE_EXPECT_ERROR(open_sqlite_store({folder_.file()}), ErrorCode::kFailedPrecondition,
                     "store_version_unsupported");
}

TEST_F(SqliteStoreTest, TheDatabaseOfAnotherProgramIsRefusedUntouched) {
  {
    SQLite::Database other(folder_.file().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    other.exec("CREATE TABLE theirs (x)");
  }
  INGLE_EXPECT_ERROR(open_sqlite_store({folder_.file()}), ErrorCode::kFailedPrecondition,
                     "store_version_unsupported");
  SQLite::Database other(folder_.file().string());
  EXPECT_EQ(other.execAndGet("PRAGMA journal_mode").getString(), "delete");
}

TEST_F(SqliteStoreTest, WhatIsNoDatabaseIsDamaged) {
  std::ofstream(folder_.file()) << std::string(4096, 'x');
  INGLE_EXPECT_ERROR(open_sqlite_store({folder_.file()}), ErrorCode::kDataLoss, "store_damaged");
}

TEST_F(SqliteStoreTest, WhatCannotBeMadeIsAnError) {
  std::ofstream(folder_.path() / "file") << "x";
  for (const fs::path& path :
       {folder_.path() / "file" / "sessions.db", folder_.path(), fs::path()}) {
    INGLE_EXPECT_ERROR(open_sqlite_store({path}), ErrorCode::kUnavailable, "store_failed");
  }
}

TEST_F(SqliteStoreTest, ADamagedEventIsNamed) {
  const std::string damages[] = {
      "UPDATE events SET body = '{' WHERE seq = 2",
      "UPDATE events SET body = replace(body, '\"seq\":2', '\"seq\":7') WHERE seq = 2",
      "UPDATE events SET body = replace(body, 'role', 'rule') WHERE seq = 2",
      "DELETE FROM events WHERE seq = 2",
  };
  for (const std::string& damage : damages) {
    fs::remove(folder_.file());
    make_store();
    meddle(damage);
    const auto events = open_or_null(folder_.file())->read(session_, 1);
    ASSERT_FALSE(events.ok()) << damage;
    EXPECT_EQ(events.error().code, ErrorCode::kDataLoss);
    EXPECT_EQ(events.error().reason, "event_invalid");
    EXPECT_EQ(events.error().details, Json(json{{"seq", 2}})) << damage;
  }
}

TEST_F(SqliteStoreTest, AMissingEndIsNoticed) {
  make_store();
  meddle("DELETE FROM events WHERE seq = 3");
  const auto store = open_or_null(folder_.file());
  INGLE_EXPECT_ERROR(store->read(session_, 1), ErrorCode::kDataLoss, "event_invalid");
  INGLE_EXPECT_ERROR(store->read(session_, 3), ErrorCode::kDataLoss, "event_invalid");
  EXPECT_TRUE(store->read(session_, 4).ok());
}

TEST_F(SqliteStoreTest, AStoreThatIsGoneIsAnErrorAndNoCrash) {
  const auto store = open_or_null(folder_.file());
  meddle("DROP TABLE events; DROP TABLE sessions");
  EXPECT_EQ(store->create(session_).error().reason, "store_failed");
  EXPECT_EQ(store->append(session_, 0, some_events(1, 1)).error().reason, "store_failed");
  EXPECT_EQ(store->read(session_, 1).error().reason, "store_failed");
  EXPECT_EQ(store->list().error().reason, "store_failed");
}

TEST_F(SqliteStoreTest, ManyMayMakeTheStoreAtOnce) {
  constexpr int kThreads = 8;
  for (int round = 0; round < 20; ++round) {
    const fs::path file = folder_.path() / std::to_string(round) / "sessions.db";
    std::barrier start(kThreads);
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        const auto store = open_or_null(file);
        ASSERT_NE(store, nullptr);
        EXPECT_TRUE(store->create(SessionId("s" + std::to_string(i))).ok());
      });
    }
    threads.clear();
    EXPECT_EQ(open_or_null(file)->list()->size(), std::size_t{kThreads});
  }
}

TEST(SqliteError, EveryFailureHasACode) {
  const auto mapped = [](int code) {
    try {
      throw SQLite::Exception("words", code);
    } catch (...) {
      return session_sqlite_internal::current_store_error();
    }
  };
  EXPECT_EQ(mapped(SQLITE_FULL).reason, "disk_full");
  EXPECT_EQ(mapped(SQLITE_FULL).code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(mapped(SQLITE_CORRUPT).code, ErrorCode::kDataLoss);
  EXPECT_EQ(mapped(SQLITE_NOTADB).reason, "store_damaged");
  for (const int code : {SQLITE_BUSY, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY}) {
    EXPECT_EQ(mapped(code).code, ErrorCode::kUnavailable);
    EXPECT_EQ(mapped(code).reason, "store_failed");
    EXPECT_EQ(mapped(code).message, "SQLite: words");
  }
}

}  // namespace
}  // namespace ingle::conformance
