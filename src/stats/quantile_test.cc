#include "stats/quantile.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace evenbench::stats {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Quantile, OfNothingIsAbsent) {
  EXPECT_EQ(quantile({}, 0.5), std::nullopt);
}

TEST(Quantile, InterpolatesLinearlyBetweenOrderStatistics) {
  const std::vector<double> x{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_DOUBLE_EQ(*quantile(x, 0.90), 9.1);
  EXPECT_DOUBLE_EQ(*quantile(x, 0.95), 9.55);
  EXPECT_DOUBLE_EQ(*quantile(x, 0.50), 5.5);
  EXPECT_DOUBLE_EQ(*quantile(x, 0.0), 1);
  EXPECT_DOUBLE_EQ(*quantile(x, 1.0), 10);
}

TEST(Quantile, O37_EveryQuantileOfOneSampleIsThatSample) {
  const std::vector<double> x{575};
  for (const double q : {0.0, 0.5, 0.9, 0.95, 0.99, 1.0}) EXPECT_DOUBLE_EQ(*quantile(x, q), 575);
}

TEST(Quantile, O37_NeverPassesTheMaximum) {
  const std::vector<double> x{147, 3432, 58760};
  EXPECT_DOUBLE_EQ(*quantile(x, 0.5), 3432);
  EXPECT_DOUBLE_EQ(*quantile(x, 0.99), 57653.44);
  EXPECT_DOUBLE_EQ(*quantile(x, 1.0), 58760);
}

TEST(Quantile, NextToAnInfinityIsInfiniteAndNeverNaN) {
  const std::vector<double> x{1, 2, 3};
  EXPECT_DOUBLE_EQ(*quantile_with_infinities(x, 2, 0.5), 3);
  EXPECT_EQ(*quantile_with_infinities(x, 2, 0.6), kInf);  // between 3 and infinity
  EXPECT_EQ(*quantile_with_infinities(x, 2, 0.9), kInf);  // between two infinities
  EXPECT_EQ(*quantile_with_infinities(x, 2, 1.0), kInf);
  EXPECT_EQ(*quantile_with_infinities({}, 2, 0.25), kInf);
  for (int i = 0; i <= 100; ++i) {
    EXPECT_FALSE(std::isnan(*quantile_with_infinities(x, 4, i / 100.0)));
  }
}

TEST(Quantile, AddedInfinitiesGiveTheSameAsAListThatHoldsThem) {
  const std::vector<double> x{1, 2, 3};
  const std::vector<double> all{1, 2, 3, kInf, kInf};
  for (int i = 0; i <= 100; ++i) {
    EXPECT_EQ(quantile_with_infinities(x, 2, i / 100.0), quantile(all, i / 100.0));
  }
}

TEST(Quantile, StaysExactAtALargeOffset) {
  const std::vector<double> x{1e12 + 1, 1e12 + 2, 1e12 + 3};
  EXPECT_DOUBLE_EQ(*quantile(x, 0.5), 1e12 + 2);
}

TEST(QuantileDeathTest, APercentInsteadOfAShareIsABug) {
  EXPECT_DEATH((void)quantile(std::vector<double>{1.0}, 99), "not between 0 and 1");
}

}  // namespace
}  // namespace evenbench::stats
