#include "base/engine_metric.h"

#include <algorithm>
#include <array>

namespace evenbench {
namespace {

constexpr std::array<std::string_view, kEngineMetricCount> kNames = {
    "requests_finished", "requests_refused", "requests_running",  "requests_waiting",
    "kv_cache_usage",    "prompt_tokens",    "generation_tokens", "prefix_query_tokens",
    "prefix_hit_tokens", "cache_hit_rate",   "preemptions",       "queue_time_sum",
    "queue_time_count",  "ttft_sum",         "ttft_count"};

}  // namespace

std::string_view name_of(EngineMetric metric) {
  return kNames[static_cast<std::size_t>(metric)];
}

std::optional<EngineMetric> engine_metric_from(std::string_view name) {
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<EngineMetric>(found - kNames.begin());
}

bool is_share(EngineMetric metric) {
  return metric == EngineMetric::kKvCacheUsage || metric == EngineMetric::kCacheHitRate;
}

bool is_counter(EngineMetric metric) {
  return !is_share(metric) && metric != EngineMetric::kRequestsRunning &&
         metric != EngineMetric::kRequestsWaiting;
}

}  // namespace evenbench
