#include "net/kernel_clock.h"

#include <gtest/gtest.h>

namespace evenbench::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// Each look costs a microsecond; wall time can be set under way.
class FakeClock final : public Clock {
 public:
  [[nodiscard]] MonoTime now() const override { return mono_ += Nanos{1000}; }
  [[nodiscard]] WallTime wall() const override { return wall_at(mono_ += Nanos{1000}); }
  [[nodiscard]] WallTime wall_at(MonoTime t) const {
    return WallTime{t.time_since_epoch() + offset_};
  }
  void pass(Nanos time) { mono_ += time; }
  void set_ahead(Nanos by) { offset_ += by; }

 private:
  mutable MonoTime mono_{seconds{1000}};
  Nanos offset_ = std::chrono::hours{480000};
};

TEST(KernelClock, StampsLandOnTheMonotonicClock) {
  const FakeClock clock;
  KernelClock kernel(clock);
  const MonoTime arrived = clock.now();
  const MonoTime user = arrived + milliseconds{3};
  const MonoTime got = kernel.at(clock.wall_at(arrived), user);
  EXPECT_LE(got > arrived ? got - arrived : arrived - got, Nanos{1000});
}

TEST(KernelClock, AChangeOfWallTimeIsFollowedWithinASecond) {
  FakeClock clock;
  KernelClock kernel(clock);
  kernel.at(clock.wall_at(clock.now()), clock.now());
  clock.set_ahead(milliseconds{50});
  clock.pass(seconds{2});
  const MonoTime arrived = clock.now();
  const MonoTime got = kernel.at(clock.wall_at(arrived), arrived + milliseconds{1});
  EXPECT_LE(got > arrived ? got - arrived : arrived - got, Nanos{1000});
}

TEST(KernelClock, WhatCannotBeRightIsNoStamp) {
  const FakeClock clock;
  KernelClock kernel(clock);
  const MonoTime user = clock.now();
  EXPECT_EQ(kernel.at(WallTime{}, user), kNever);
  EXPECT_EQ(kernel.at(clock.wall_at(user + milliseconds{1}), user), kNever);
  EXPECT_EQ(kernel.at(clock.wall_at(user - std::chrono::minutes{2}), user), kNever);
}

class KernelClockMoves : public testing::Test {
 protected:
  KernelClockMoves() { look_after(Nanos{0}); }  // the first look has nothing to compare with
  void look_after(Nanos silence) {
    clock_.pass(silence);
    kernel_.at(clock_.wall_at(clock_.now()), clock_.now());
  }
  // The looks themselves take a few microseconds.
  static void expect_near(Nanos got, Nanos wanted) {
    EXPECT_NEAR(to_millis(got), to_millis(wanted), 0.001 * to_millis(wanted));
  }

  FakeClock clock_;
  KernelClock kernel_{clock_};
};

TEST_F(KernelClockMoves, TheLargestOfEitherSignIsToldOnce) {
  EXPECT_EQ(kernel_.take_moves().largest, Nanos{0});
  for (const Nanos move : {milliseconds{3}, milliseconds{-5}, milliseconds{0}}) {
    clock_.set_ahead(move);
    look_after(seconds{1});
  }
  expect_near(kernel_.take_moves().largest, milliseconds{5});
  look_after(seconds{1});
  EXPECT_EQ(kernel_.take_moves().largest, Nanos{0});
}

TEST_F(KernelClockMoves, SlewingThroughALongSilenceIsNoStep) {
  clock_.set_ahead(milliseconds{5});  // 0.5 ms a second
  look_after(seconds{10});
  expect_near(kernel_.take_moves().largest, std::chrono::microseconds{500});
}

TEST_F(KernelClockMoves, AStepInAShortSilenceIsNotMadeSmaller) {
  clock_.set_ahead(milliseconds{5});
  look_after(milliseconds{1001});
  EXPECT_GT(kernel_.take_moves().largest, Nanos{4'990'000});
}

TEST(KernelClock, BoundsItsErrorByHalfTheBracketOfTheReading) {
  FakeClock clock;
  KernelClock kernel(clock);
  EXPECT_EQ(kernel.take_moves().error, std::nullopt);  // never looked: not 0
  kernel.at(clock.wall_at(clock.now()), clock.now());
  EXPECT_EQ(kernel.take_moves().error, Nanos{1000});  // two readings of 1 us each lie between
}

}  // namespace
}  // namespace evenbench::net
