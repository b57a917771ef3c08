#include "stats/rank_interval.h"

#include <gtest/gtest.h>

#include <vector>

namespace evenbench::stats {
namespace {

struct Known {
  std::size_t n, low50, high50, low95, high95, low99, high99;
};

TEST(RankInterval, GivesThePublishedRanksAt95Percent) {
  const std::vector<Known> table{
      {368, 165, 204, 341, 358, 360, 368},        {600, 276, 325, 559, 581, 589, 599},
      {1000, 469, 532, 936, 964, 983, 997},       {3000, 1446, 1555, 2826, 2874, 2959, 2981},
      {6000, 2924, 3077, 5666, 5734, 5924, 5956}, {10000, 4902, 5099, 9457, 9543, 9880, 9920},
  };
  for (const Known& row : table) {
    SCOPED_TRACE(row.n);
    const auto expect = [&](double p, std::size_t low, std::size_t high) {
      const RankInterval ranks = rank_interval(row.n, p, 0.95);
      EXPECT_EQ(ranks.lower, low);
      EXPECT_EQ(ranks.upper, high);
    };
    expect(0.50, row.low50, row.high50);
    expect(0.95, row.low95, row.high95);
    expect(0.99, row.low99, row.high99);
  }
}

TEST(RankInterval, OfTooFewSamplesHasNoUpperLimit) {
  EXPECT_EQ(rank_interval(367, 0.99, 0.95).upper, std::nullopt);
  EXPECT_TRUE(rank_interval(368, 0.99, 0.95).upper.has_value());
  // One-sided 95 %: ceil(ln 0.05 / ln p) samples.
  EXPECT_FALSE(rank_interval(58, 0.95, 0.90).upper.has_value());
  EXPECT_TRUE(rank_interval(59, 0.95, 0.90).upper.has_value());
  EXPECT_FALSE(rank_interval(298, 0.99, 0.90).upper.has_value());
  EXPECT_TRUE(rank_interval(299, 0.99, 0.90).upper.has_value());
}

TEST(RankInterval, OfTooFewSamplesHasNoLowerLimitEither) {
  EXPECT_EQ(rank_interval(0, 0.5, 0.95).lower, std::nullopt);
  EXPECT_EQ(rank_interval(1, 0.5, 0.95).lower, std::nullopt);
  EXPECT_EQ(rank_interval(5, 0.5, 0.95).lower, std::nullopt);  // P(0 of 5) = 0.03125 > 0.025
  EXPECT_EQ(rank_interval(6, 0.5, 0.95).lower, 1U);
  EXPECT_EQ(rank_interval(6, 0.5, 0.95).upper, 6U);
}

}  // namespace
}  // namespace evenbench::stats
