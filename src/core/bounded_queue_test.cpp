#include "ingle/core/bounded_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <memory>
#include <thread>
#include <vector>

namespace ingle {
namespace {

TEST(BoundedQueue, ItemsComeOutInOrder) {
  BoundedQueue<int> queue(3);
  EXPECT_TRUE(queue.push(1));
  EXPECT_TRUE(queue.push(2));
  EXPECT_TRUE(queue.push(3));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), 2);
  EXPECT_EQ(queue.pop(), 3);
}

TEST(BoundedQueue, HoldsItemsThatOnlyMove) {
  BoundedQueue<std::unique_ptr<int>> queue(1);
  EXPECT_TRUE(queue.push(std::make_unique<int>(7)));
  const auto item = queue.pop();
  ASSERT_TRUE(item.has_value());
  EXPECT_EQ(**item, 7);
}

TEST(BoundedQueue, TryPushRefusesWhenFull) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.try_push(1));
  EXPECT_FALSE(queue.try_push(2));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_TRUE(queue.try_push(3));
}

TEST(BoundedQueue, PushWaitsForRoom) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.push(1));
  std::jthread producer([&queue] { EXPECT_TRUE(queue.push(2)); });
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), 2);
}

TEST(BoundedQueue, StopEndsAWaitingPush) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.push(1));
  std::latch started(1);
  std::jthread producer([&](const std::stop_token& stop) {
    started.count_down();
    EXPECT_FALSE(queue.push(2, stop));
  });
  started.wait();
  producer.request_stop();
}

TEST(BoundedQueue, StopEndsAWaitingPop) {
  BoundedQueue<int> queue(1);
  std::latch started(1);
  std::jthread consumer([&](const std::stop_token& stop) {
    started.count_down();
    EXPECT_EQ(queue.pop(stop), std::nullopt);
  });
  started.wait();
  consumer.request_stop();
}

TEST(BoundedQueue, CloseEndsAWaitingPush) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.push(1));
  std::latch started(1);
  std::jthread producer([&] {
    started.count_down();
    EXPECT_FALSE(queue.push(2));
  });
  started.wait();
  queue.close();
}

TEST(BoundedQueue, CloseEndsAWaitingPop) {
  BoundedQueue<int> queue(1);
  std::latch started(1);
  std::jthread consumer([&] {
    started.count_down();
    EXPECT_EQ(queue.pop(), std::nullopt);
  });
  started.wait();
  queue.close();
}

TEST(BoundedQueue, ClosedQueueRefusesPushesAndDrains) {
  BoundedQueue<int> queue(2);
  EXPECT_TRUE(queue.push(1));
  queue.close();
  EXPECT_FALSE(queue.push(2));
  EXPECT_FALSE(queue.try_push(2));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.pop(), std::nullopt);
}

TEST(BoundedQueue, EveryItemArrivesOnceAmongManyThreads) {
  constexpr int kProducers = 4;
  constexpr int kItemsEach = 500;
  BoundedQueue<int> queue(3);
  std::vector<std::atomic<int>> seen(std::size_t{kProducers} * kItemsEach);
  {
    std::vector<std::jthread> consumers;
    for (int i = 0; i < 3; ++i) {
      consumers.emplace_back([&] {
        while (const auto item = queue.pop()) {
          ++seen[static_cast<std::size_t>(*item)];
        }
      });
    }
    {
      std::vector<std::jthread> producers;
      for (int producer = 0; producer < kProducers; ++producer) {
        producers.emplace_back([&queue, producer] {
          for (int i = 0; i < kItemsEach; ++i) {
            EXPECT_TRUE(queue.push(producer * kItemsEach + i));
          }
        });
      }
    }
    queue.close();
  }
  for (const auto& count : seen) {
    EXPECT_EQ(count.load(), 1);
  }
}

}  // namespace
}  // namespace ingle
