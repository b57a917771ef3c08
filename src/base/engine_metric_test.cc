#include "base/engine_metric.h"

#include <gtest/gtest.h>

#include <set>

namespace evenbench {
namespace {

TEST(EngineMetric, EveryNameIsItsOwnAndLeadsBack) {
  std::set<std::string_view> names;
  for (int i = 0; i < kEngineMetricCount; ++i) {
    const auto metric = static_cast<EngineMetric>(i);
    names.insert(name_of(metric));
    EXPECT_EQ(engine_metric_from(name_of(metric)), metric);
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kEngineMetricCount));
  EXPECT_EQ(name_of(EngineMetric::kTtftCount), "ttft_count");
  EXPECT_FALSE(engine_metric_from("requests"));
}

TEST(EngineMetric, WhatHoldsNowIsNoCounter) {
  std::set<std::string_view> gauges;
  for (int i = 0; i < kEngineMetricCount; ++i) {
    const auto metric = static_cast<EngineMetric>(i);
    if (!is_counter(metric)) gauges.insert(name_of(metric));
  }
  EXPECT_EQ(gauges, (std::set<std::string_view>{"requests_running", "requests_waiting",
                                                "kv_cache_usage", "cache_hit_rate"}));
}

}  // namespace
}  // namespace evenbench
