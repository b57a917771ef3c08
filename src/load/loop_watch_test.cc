#include "load/loop_watch.h"

#include <gtest/gtest.h>

namespace evenbench::load {
namespace {

using namespace std::chrono_literals;

const MonoTime kBegin{1000s};

struct Thread {  // whose CPU time the test sets
  Nanos used{5s};
  LoopWatch watch{kBegin, [this] { return used; }};
};

TEST(LoopWatch, ATurnThatEndsWhenAskedIsNoStall) {
  Thread thread;
  thread.watch.note(kBegin, kBegin + 20ms, kBegin + 20ms);
  thread.watch.note(kBegin + 20ms, kBegin + 40ms, kBegin + 25ms);  // something came in
  EXPECT_EQ(thread.watch.max_stall(), 0ns);
  EXPECT_EQ(thread.watch.stalls(), 0U);
}

TEST(LoopWatch, LostTimeCountsFromTheAskedInstantOrFromTheTurnsBegin) {
  Thread thread;
  thread.watch.note(kBegin, kBegin + 10ms, kBegin + 13ms);
  EXPECT_EQ(thread.watch.max_stall(), 3ms);
  // The instant asked for had passed before the turn began.
  thread.watch.note(kBegin + 13ms, kBegin + 2ms, kBegin + 17ms);
  EXPECT_EQ(thread.watch.max_stall(), 4ms);
}

TEST(LoopWatch, StallsOfMoreThanAMillisecondAreCounted) {
  Thread thread;
  thread.watch.note(kBegin, kBegin + 10ms, kBegin + 11ms);
  EXPECT_EQ(thread.watch.stalls(), 0U);
  thread.watch.note(kBegin, kBegin + 10ms, kBegin + 11ms + 1ns);
  thread.watch.note(kBegin, kBegin + 10ms, kBegin + 15ms);
  EXPECT_EQ(thread.watch.stalls(), 2U);
}

TEST(LoopWatch, TheBusiestSecondIsKept) {
  Thread thread;
  const auto second = [&](int number, Nanos used) {
    thread.used += used;
    thread.watch.note(kBegin, kBegin + number * 1s, kBegin + number * 1s);
  };
  second(1, 200ms);
  EXPECT_NEAR(thread.watch.busiest_second().value_or(0), 0.2, 1e-12);
  second(2, 970ms);
  second(3, 100ms);
  EXPECT_NEAR(thread.watch.busiest_second().value_or(0), 0.97, 1e-12);
}

TEST(LoopWatch, LessThanASecondHasNoBusiestSecond) {
  Thread thread;
  thread.watch.note(kBegin, kBegin + 999ms, kBegin + 999ms);
  EXPECT_EQ(thread.watch.busiest_second(), std::nullopt);
}

}  // namespace
}  // namespace evenbench::load
