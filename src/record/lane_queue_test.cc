#include "record/lane_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace evenbench::record {
namespace {

TEST(LaneQueue, GivesItemsInOrderAcrossChunks) {
  LaneQueue<std::string, 4> queue;
  constexpr std::uint64_t kItems = 33;
  for (std::uint64_t i = 0; i < kItems; ++i) {
    queue.push(std::to_string(i));
    if (i % 3 == 0) {
      EXPECT_EQ(queue.pop(), std::to_string(i / 3));
    }
  }
  EXPECT_EQ(queue.pushed(), kItems);
  while (queue.popped() < kItems) {
    const std::uint64_t next = queue.popped();
    ASSERT_EQ(queue.pop(), std::to_string(next));
  }
}

TEST(LaneQueue, CarriesItemsFromOneThreadToAnother) {
  LaneQueue<std::string> queue;
  constexpr std::uint64_t kItems = 20'000;
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < kItems; ++i) queue.push("item number " + std::to_string(i));
  });
  std::uint64_t wrong = 0;
  while (queue.popped() < kItems) {
    const std::uint64_t next = queue.popped();
    if (next < queue.pushed() && queue.pop() != "item number " + std::to_string(next)) ++wrong;
  }
  producer.join();
  EXPECT_EQ(wrong, 0U);
}

TEST(LaneQueue, LetsGoOfALongChainThatWasNeverTaken) {
  LaneQueue<char, 1> queue;
  for (int i = 0; i < 200'000; ++i) queue.push('x');
  EXPECT_EQ(queue.popped(), 0U);
}

}  // namespace
}  // namespace evenbench::record
