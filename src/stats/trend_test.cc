#include "stats/trend.h"

#include <gtest/gtest.h>

#include <vector>

namespace evenbench::stats {
namespace {

TEST(TheilSen, OfFewerThanTwoPointsIsAbsent) {
  EXPECT_EQ(theil_sen_slope({}), std::nullopt);
  EXPECT_EQ(theil_sen_slope(std::vector<double>{1.0}), std::nullopt);
}

TEST(TheilSen, OfALineIsItsSlope) {
  EXPECT_DOUBLE_EQ(*theil_sen_slope(std::vector<double>{1, 3}), 2.0);
  EXPECT_DOUBLE_EQ(*theil_sen_slope(std::vector<double>{5, 4.5, 4, 3.5, 3}), -0.5);
}

TEST(TheilSen, IsNotMovedByOneWildPoint) {
  EXPECT_DOUBLE_EQ(*theil_sen_slope(std::vector<double>{0, 1, 2, 900, 4, 5, 6}), 1.0);
}

TEST(TheilSen, TakesTheMeanOfTheTwoMiddleSlopes) {
  // Slopes of 0, 1, 4, 7 in order: 1, 2, 7/3, 3, 3, 3.
  EXPECT_DOUBLE_EQ(*theil_sen_slope(std::vector<double>{0, 1, 4, 7}), (7.0 / 3.0 + 3.0) / 2.0);
}

}  // namespace
}  // namespace evenbench::stats
