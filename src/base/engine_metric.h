// What engines count and gauge of themselves, under one name for all of them: the words of the run
// file and of the report. How each engine calls them stands in its adapter.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace evenbench {

enum class EngineMetric : std::uint8_t {
  kRequestsFinished,   // also those that were aborted, where the engine counts them here
  kRequestsRefused,    // for its own limits: queue full, too many at once
  kRequestsRunning,    // now
  kRequestsWaiting,    // now, admitted and not running
  kKvCacheUsage,       // now, 0 to 1
  kPromptTokens,       // from the prefix cache or computed
  kGenerationTokens,   //
  kPrefixQueryTokens,  // prompt tokens that were looked up in the prefix cache
  kPrefixHitTokens,    // of these, found
  kCacheHitRate,       // as the engine sums it up itself, 0 to 1
  kPreemptions,        // requests put back because the KV cache was full
  kQueueTimeSum,       // seconds
  kQueueTimeCount,     //
  kTtftSum,            // seconds, from arrival in the server
  kTtftCount,          //
};
inline constexpr int kEngineMetricCount = 15;
// requests_finished, kv_cache_usage, queue_time_sum ...
std::string_view name_of(EngineMetric metric);
std::optional<EngineMetric> engine_metric_from(std::string_view name);
// Only ever grows while the engine runs; else it is a gauge.
bool is_counter(EngineMetric metric);
// A gauge between 0 and 1.
bool is_share(EngineMetric metric);

}  // namespace evenbench
