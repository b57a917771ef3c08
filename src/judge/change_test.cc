#include <gtest/gtest.h>

#include <cmath>

#include "judge/judge.h"

namespace evenbench::judge {
namespace {

TEST(ChangeOf, O39_TellsBetterFromWorseByTheKindOfMetric) {
  const Change latency = change_of(200, 250, Better::kLess);
  EXPECT_DOUBLE_EQ(*latency.percent, 25);
  EXPECT_FALSE(latency.better);
  const Change rate = change_of(1000, 1200, Better::kMore);
  EXPECT_DOUBLE_EQ(*rate.percent, 20);
  EXPECT_TRUE(rate.better);
  EXPECT_TRUE(change_of(250, 200, Better::kLess).better);
  EXPECT_FALSE(change_of(std::nullopt, 250, Better::kLess).percent);
  EXPECT_FALSE(change_of(0, 1200, Better::kMore).percent);
  EXPECT_FALSE(change_of(100, INFINITY, Better::kLess).percent);
}

}  // namespace
}  // namespace evenbench::judge
