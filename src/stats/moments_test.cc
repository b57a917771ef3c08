#include "stats/moments.h"

#include <gtest/gtest.h>

namespace evenbench::stats {
namespace {

TEST(Moments, OfNothingAreAbsent) {
  EXPECT_EQ(Moments{}.mean(), std::nullopt);
  Moments one;
  one.add(3.0);
  EXPECT_DOUBLE_EQ(*one.mean(), 3.0);
  EXPECT_EQ(one.variance(), std::nullopt);
}

TEST(Moments, SurviveALargeOffset) {
  Moments m;
  for (const double x : {4.0, 7.0, 13.0, 16.0}) m.add(1e9 + x);
  EXPECT_DOUBLE_EQ(*m.mean(), 1e9 + 10.0);
  EXPECT_DOUBLE_EQ(*m.variance(), 30.0);
  EXPECT_EQ(m.count(), 4U);
}

}  // namespace
}  // namespace evenbench::stats
