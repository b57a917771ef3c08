#include "judge/gap_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "judge/distribution.h"

namespace evenbench::judge {
namespace {

// 0.2 ms to some 200 ms, thickest at the low end, in an order that is not sorted.
double gap_of(std::size_t i) {
  return 0.2 * std::pow(10.0, 3.0 * static_cast<double>((i * 7919) % 100'003) / 100'003.0);
}

TEST(GapSamples, AreExactUpToTheirLimit) {
  GapSamples samples;
  std::vector<double> all;
  for (std::size_t i = 0; i < GapSamples::kExact; ++i) {
    all.push_back(gap_of(i));
    samples.add(all.back());
  }
  const Distribution exact = distribution_of(all);
  const Distribution got = samples.distribution();
  EXPECT_EQ(got.count, GapSamples::kExact);
  EXPECT_FALSE(got.relative_error);
  EXPECT_EQ(got.p50, exact.p50);
  EXPECT_EQ(got.p99, exact.p99);
}

TEST(GapSamples, BeyondItAreWithinOnePercentAndSaySo) {
  GapSamples samples;
  std::vector<double> all;
  for (std::size_t i = 0; i < 2 * GapSamples::kExact; ++i) {
    all.push_back(gap_of(i));
    samples.add(all.back());
  }
  const Distribution exact = distribution_of(all);
  const Distribution got = samples.distribution();
  EXPECT_EQ(got.count, all.size());
  ASSERT_TRUE(got.relative_error);
  EXPECT_LE(*got.relative_error, 0.01);
  for (const auto& [value, wanted] :
       {std::pair{got.p50, exact.p50}, std::pair{got.p90, exact.p90}, std::pair{got.p95, exact.p95},
        std::pair{got.p99, exact.p99}, std::pair{got.mean, exact.mean}}) {
    EXPECT_NEAR(*value, *wanted, *wanted * *got.relative_error);
  }
  EXPECT_NEAR(*got.min, *exact.min, 1e-6);
  EXPECT_NEAR(*got.max, *exact.max, 1e-6);
}

TEST(GapSamples, OneSampleCountsAsOftenAsItIsSaid) {
  GapSamples samples;
  samples.add(5.0, 3);
  EXPECT_EQ(samples.distribution().count, 3U);
  samples.add(10.0, static_cast<std::uint32_t>(GapSamples::kExact));
  EXPECT_EQ(samples.distribution().count, GapSamples::kExact + 3);
  EXPECT_DOUBLE_EQ(*samples.distribution().min, 5.0);
  samples.clear();
  EXPECT_EQ(samples.distribution().count, 0U);
  EXPECT_FALSE(samples.distribution().p50);
}

}  // namespace
}  // namespace evenbench::judge
