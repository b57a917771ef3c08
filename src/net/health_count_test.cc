#include "net/health_count.h"

#include <gtest/gtest.h>

namespace evenbench::net {
namespace {

class StillClock final : public Clock {
 public:
  [[nodiscard]] MonoTime now() const override { return MonoTime{std::chrono::seconds{9}}; }
  [[nodiscard]] WallTime wall() const override { return WallTime{std::chrono::seconds{99}}; }
};

struct Counted {
  StillClock clock;
  KernelClock kernel{clock};
  HealthCount count;
  TransportHealth take() { return count.take(kernel); }
};

const MonoTime kArrived{std::chrono::seconds{8}};

TEST(HealthCount, DelayIsCountedOverStampedReadsOnly) {
  Counted counted;
  counted.count.note_read({.user = kArrived + Nanos{5000}, .kernel = kArrived});
  counted.count.note_read({.user = kArrived, .kernel = kNever});
  const TransportHealth health = counted.take();
  EXPECT_EQ(health.reads, 2U);
  EXPECT_EQ(health.stamped_reads, 1U);
  ASSERT_TRUE(health.delay_max);
  EXPECT_NEAR(static_cast<double>(health.delay_max->count()), 5000, 50);
}

TEST(HealthCount, WithoutStampsThereIsNoDelayRatherThanNone) {
  Counted counted;
  counted.count.note_read({.user = kArrived, .kernel = kNever});
  const TransportHealth health = counted.take();
  EXPECT_EQ(health.delay_p50, std::nullopt);
  EXPECT_EQ(health.delay_p99, std::nullopt);
  EXPECT_EQ(health.delay_max, std::nullopt);
  EXPECT_EQ(health.segments_sent, std::nullopt);
}

TEST(HealthCount, EachTakeIsOfTheTimeSinceTheOneBefore) {
  Counted counted;
  counted.count.note_read({.user = kArrived + Nanos{5000}, .kernel = kArrived});
  counted.count.note_zero_window();
  counted.count.note_limit_error();
  counted.count.note_queue(70'000);
  counted.count.note_queue(10);
  counted.count.note_segments({.sent = 10, .resent = 1});
  counted.count.note_segments({.sent = 5, .resent = 0});
  const TransportHealth first = counted.take();
  EXPECT_EQ(first.zero_windows, 1U);
  EXPECT_EQ(first.limit_errors, 1U);
  EXPECT_EQ(first.receive_queue_max, 70'000U);
  EXPECT_EQ(first.segments_sent, 15U);
  EXPECT_EQ(first.segments_resent, 1U);
  const TransportHealth second = counted.take();
  EXPECT_EQ(second.reads, 0U);
  EXPECT_EQ(second.delay_max, std::nullopt);
  EXPECT_EQ(second.zero_windows, 0U);
  EXPECT_EQ(second.receive_queue_max, 0U);
}

TEST(HealthCount, ConnectionsThatStayOpenBelongToTheNextTimeToo) {
  Counted counted;
  for (int i = 0; i < 3; ++i) counted.count.note_opened();
  counted.count.note_closed();
  counted.count.note_opened();
  const TransportHealth first = counted.take();
  EXPECT_EQ(first.connections_opened, 4U);
  EXPECT_EQ(first.connections_open_max, 3U);
  const TransportHealth second = counted.take();
  EXPECT_EQ(second.connections_opened, 0U);
  EXPECT_EQ(second.connections_open_max, 3U);
}

}  // namespace
}  // namespace evenbench::net
