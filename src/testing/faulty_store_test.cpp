#include "ingle/testing/faulty_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "ingle/session/memory_store.h"
#include "ingle/testing/matchers.h"

namespace ingle::testing {
namespace {

const SessionId kSession("s");

class FaultyStoreTest : public ::testing::Test {
 protected:
  FaultyStoreTest() { EXPECT_THAT(store_.create(kSession), IsOk()); }

  Result<void> append(std::int64_t seq) {
    Event event;
    event.seq = seq;
    event.body = ModelCalled{"m"};
    return store_.append(kSession, seq - 1, std::vector<Event>{event});
  }

  std::size_t stored() { return inner_.read(kSession, 1)->size(); }

  MemoryStore inner_;
  FaultyStore store_{inner_};
};

TEST_F(FaultyStoreTest, WithoutAPlanPassesEverythingOn) {
  EXPECT_THAT(append(1), IsOk());
  EXPECT_EQ(stored(), 1U);
  EXPECT_EQ(store_.read(kSession, 1)->size(), 1U);
  EXPECT_EQ(store_.list()->size(), 1U);
  EXPECT_EQ(store_.appends(), 1);
}

TEST_F(FaultyStoreTest, PlannedAppendFailsAndStoresNothing) {
  store_.plan({.append = 2});
  EXPECT_THAT(append(1), IsOk());
  EXPECT_THAT(append(2), HasReason("store_failed"));
  EXPECT_EQ(stored(), 1U);
  EXPECT_THAT(append(2), IsOk());
  EXPECT_EQ(store_.appends(), 3);
}

TEST_F(FaultyStoreTest, AnswerCanBeLostAfterStoring) {
  store_.plan({.append = 1, .is_stored = true});
  EXPECT_THAT(append(1), HasReason("store_failed"));
  EXPECT_EQ(stored(), 1U);
}

TEST_F(FaultyStoreTest, LastingFaultHoldsUntilHealed) {
  store_.plan({.append = 1, .is_lasting = true});
  EXPECT_THAT(append(1), HasReason("store_failed"));
  EXPECT_THAT(append(1), HasReason("store_failed"));
  EXPECT_THAT(store_.read(kSession, 1), HasReason("store_failed"));
  EXPECT_THAT(store_.list(), HasReason("store_failed"));
  EXPECT_THAT(store_.create(SessionId("t")), HasReason("store_failed"));
  store_.heal();
  EXPECT_THAT(append(1), IsOk());
}

TEST_F(FaultyStoreTest, FailsWithTheErrorOfThePlan) {
  store_.plan({.append = 1, .error = {ErrorCode::kResourceExhausted, "disk_full", "full", {}}});
  EXPECT_THAT(append(1), HasErrorCode(ErrorCode::kResourceExhausted));
}

}  // namespace
}  // namespace ingle::testing
