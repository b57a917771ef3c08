// What an engine counted of itself during a step, beside what the client counted of the same
// requests. Knows nothing of samples.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace evenbench::judge {

// What the server may have counted, by what the client knows of the same requests.
struct TokenBounds {
  std::uint64_t low = 0;  // of the answers that are whole
  std::optional<std::uint64_t> high =
      0;  // with all that was asked for the others; absent: no bound
};

// Absent: not shown by the engine, or not looked at. Counters: their growth over the step, warm-up
// and what was cut included.
struct EngineSide {
  std::uint64_t looks = 0;  // during the step
  std::optional<double> prompt_tokens, generation_tokens;
  std::optional<double> requests_finished, requests_refused, preemptions;
  std::optional<double> cache_hit_rate;  // 0 to 1
  std::optional<double> running_max, waiting_max, kv_cache_usage_max;
  std::optional<double> queue_time_mean_ms, ttft_mean_ms;
  // The client's sums over the same requests.
  std::uint64_t client_prompt_tokens = 0, client_output_tokens = 0;
  // Requests of which the two may count differently: cut, broken off, or without a count.
  std::uint64_t client_uncounted = 0;
  TokenBounds prompt_bounds, output_bounds;

  // How far the server's count lies outside of the bounds, of the client's sum; 0 inside. Absent
  // where one of the two is not known or the client's is 0.
  [[nodiscard]] std::optional<double> output_difference() const;
  [[nodiscard]] std::optional<double> prompt_difference() const;
};

// Value at the last look of every second of the step.
using SparseSeries = std::vector<std::optional<double>>;

}  // namespace evenbench::judge
