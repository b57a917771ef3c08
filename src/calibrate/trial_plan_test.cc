#include "calibrate/trial_plan.h"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace evenbench::calibrate {
namespace {

constexpr Nanos kWindow = std::chrono::milliseconds{1500};

double interval_ms(const TrialPlan& plan) {
  EXPECT_EQ(plan.server.at(2), "--interval");
  return std::stod(plan.server.at(3));
}

TEST(TrialPlan, EveryStreamIsUnderWayBeforeTheWindowAndAfterIt) {
  for (const Quantity quantity : {Quantity::kStreams, Quantity::kTokenRate}) {
    for (const double level : {8.0, 1000.0, 4096.0, 20'000.0, 500'000.0}) {
      if (quantity == Quantity::kStreams && level > 4096) continue;
      if (quantity == Quantity::kTokenRate && level < 1000) continue;
      const TrialPlan plan = plan_trial(quantity, level, kWindow);
      const double last_start = (plan.step.concurrency - 1) / plan.step.ramp;
      EXPECT_LT(last_start + interval_ms(plan) * 1e-3, to_seconds(*plan.step.warmup.duration));
      EXPECT_GT(plan.output_tokens * interval_ms(plan) * 1e-3, to_seconds(plan.length()));
      EXPECT_LT(plan.length(), kWindow + std::chrono::milliseconds{2000}) << level;
      EXPECT_EQ(plan.connections, plan.step.concurrency);
    }
  }
}

TEST(TrialPlan, AHundredStreamsTogetherHaveTheTokenRateAndNoTwoAreInStep) {
  for (const double rate : {1'000.0, 20'000.0, 40'000.0, 246'754.0}) {
    const TrialPlan plan = plan_trial(Quantity::kTokenRate, rate, kWindow);
    const double interval = interval_ms(plan) * 1e-3;
    EXPECT_NEAR(plan.step.concurrency / interval, rate, rate * 1e-3);
    std::vector<double> phases;
    for (std::uint32_t i = 0; i < plan.step.concurrency; ++i) {
      phases.push_back(std::fmod(i / plan.step.ramp, interval));
    }
    std::sort(phases.begin(), phases.end());
    for (std::size_t i = 1; i < phases.size(); ++i) {
      EXPECT_GT(phases[i] - phases[i - 1], 0.5 * interval / 100) << rate << " " << i;
    }
  }
}

TEST(TrialPlan, RequestsComeAtTheRateWithConnectionsForThoseInFlight) {
  const TrialPlan plan = plan_trial(Quantity::kRequestRate, 2000, kWindow);
  EXPECT_EQ(plan.step.rate.per_second(), 2000);
  EXPECT_GE(plan.connections, 50U);  // 25 ms each
  EXPECT_EQ(plan.streams, 0U);
}

TEST(TrialPlan, RangesBeginInsideThemselves) {
  for (const Quantity quantity : kQuantities) {
    for (const std::uint32_t most : {64U, 4096U}) {
      const SearchRange range = range_of(quantity, most);
      EXPECT_LE(range.least, range.first);
      EXPECT_LE(range.first, range.most);
      EXPECT_TRUE(quantity != Quantity::kStreams || range.most == most);
    }
  }
}

}  // namespace
}  // namespace evenbench::calibrate
