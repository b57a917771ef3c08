#include "base/log_histogram.h"

#include <gtest/gtest.h>

#include <cmath>

namespace evenbench {
namespace {

TEST(LogHistogram, TellsNothingOfNothing) {
  const LogHistogram empty;
  EXPECT_EQ(empty.quantile(0.5), std::nullopt);
  EXPECT_EQ(empty.max(), std::nullopt);
  EXPECT_EQ(empty.mean(), std::nullopt);
}

TEST(LogHistogram, TellsEveryValueToAThousandth) {
  for (double exact = 1; exact < 9e12; exact *= 1.37) {
    LogHistogram one;
    const Nanos value{static_cast<std::int64_t>(exact)};
    one.add(value - Nanos{1});
    one.add(value, 3);
    one.add(value + value);
    const double told = static_cast<double>(one.quantile(0.5)->count());
    EXPECT_NEAR(told / static_cast<double>(value.count()), 1.0, 0.001) << value.count();
  }
}

TEST(LogHistogram, RanksAsSortingWould) {
  LogHistogram histogram;
  for (int i = 1; i <= 1000; ++i) histogram.add(Nanos{i});
  EXPECT_EQ(histogram.quantile(0.5), Nanos{500});
  EXPECT_EQ(histogram.quantile(0.99), Nanos{990});
  EXPECT_EQ(histogram.quantile(1), Nanos{1000});
  EXPECT_EQ(histogram.quantile(0), Nanos{1});
  EXPECT_DOUBLE_EQ(*histogram.mean(), 500.5);
}

TEST(LogHistogram, AddsUpAsIfItWereOne) {
  LogHistogram low;
  LogHistogram high;
  LogHistogram all;
  for (int i = 1; i <= 500; ++i) {
    low.add(Nanos{i});
    high.add(Nanos{1'000'000 * i});
    all.add(Nanos{i});
    all.add(Nanos{1'000'000 * i});
  }
  low.add(high);
  for (const double q : {0.0, 0.25, 0.5, 0.75, 0.99, 1.0}) {
    EXPECT_EQ(low.quantile(q), all.quantile(q)) << q;
  }
  EXPECT_EQ(low.count(), all.count());
}

TEST(LogHistogram, TakesWhatIsOutOfRangeAsTheEnd) {
  LogHistogram histogram;
  histogram.add(Nanos{-5});
  histogram.add(Nanos::max());
  EXPECT_EQ(histogram.min(), Nanos{0});
  EXPECT_EQ(histogram.max(), Nanos{10'000'000'000'000});
  EXPECT_EQ(histogram.count(), 2U);
}

}  // namespace
}  // namespace evenbench
