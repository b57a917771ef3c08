#include "net/wake_delay.h"

#include <gtest/gtest.h>

namespace evenbench::net {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

TEST(WakeDelay, SpinsLittleWhereTheMachineWakesSoon) {
  WakeDelay delay;
  for (int i = 0; i < 1000; ++i) delay.note(microseconds{5});
  EXPECT_EQ(delay.spin(), microseconds{30});
}

TEST(WakeDelay, SpinsLongerWhereItWakesLate) {
  WakeDelay delay;
  for (int i = 0; i < 1000; ++i) delay.note(microseconds{150});
  EXPECT_NEAR(static_cast<double>(delay.spin().count()), 160e3, 1e3);
}

TEST(WakeDelay, CoversMostSleepsOfAMachineThatVaries) {
  WakeDelay delay;
  for (int i = 0; i < 5000; ++i) delay.note(i % 10 == 0 ? microseconds{120} : microseconds{20});
  EXPECT_GT(delay.spin(), microseconds{55});
  EXPECT_LT(delay.spin(), microseconds{130});
}

TEST(WakeDelay, NeverSpinsWithoutBound) {
  WakeDelay delay;
  for (int i = 0; i < 1000; ++i) delay.note(milliseconds{30});
  EXPECT_EQ(delay.spin(), microseconds{250});
  delay.note(Nanos{-5});
  EXPECT_GT(delay.spin(), microseconds{200});
}

}  // namespace
}  // namespace evenbench::net
