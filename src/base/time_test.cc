#include "base/time.h"

#include <gtest/gtest.h>

#include "base/rate.h"

namespace evenbench {
namespace {

TEST(Time, SecondsRoundToTheNearestNanosecondOnBothSidesOfZero) {
  EXPECT_EQ(from_seconds(1e-9 * 1.6), Nanos{2});
  EXPECT_EQ(from_seconds(-1e-9 * 1.6), Nanos{-2});
  EXPECT_EQ(Rate::per_second(200).mean_gap(), std::chrono::milliseconds{5});
}

TEST(Time, Iso8601IsUtcInWholeSeconds) {
  EXPECT_EQ(iso8601(WallTime{std::chrono::seconds{1796042765}} + Nanos{999'999'999}),
            "2026-11-30T12:46:05Z");
}

TEST(Time, NeverIsNotObserved) {
  EXPECT_FALSE(observed(kNever));
  EXPECT_TRUE(observed(MonoTime{}));
}

}  // namespace
}  // namespace evenbench
