#include "judge/engine_tally.h"

#include <algorithm>

#include "judge/request_tokens.h"
#include "judge/seconds.h"

namespace evenbench::judge {
namespace {

std::optional<double> difference(const std::optional<double>& server, const TokenBounds& bounds,
                                 std::uint64_t client) {
  if (!server || client == 0) return std::nullopt;
  const auto low = static_cast<double>(bounds.low);
  if (*server < low) return (*server - low) / static_cast<double>(client);
  if (!bounds.high || *server <= static_cast<double>(*bounds.high)) return 0.0;
  return (*server - static_cast<double>(*bounds.high)) / static_cast<double>(client);
}

// Some engines count a token when it is made, others when the answer is whole: of one that was cut
// there is only the least and the most. 0 asked: nothing was stated, so there is no most.
void add_bounds(TokenBounds& bounds, bool whole, std::uint64_t seen, std::uint64_t most) {
  if (whole) {
    bounds.low += seen;
    if (bounds.high) *bounds.high += seen;
  } else if (most == 0) {
    bounds.high.reset();
  } else if (bounds.high) {
    *bounds.high += std::max(seen, most);
  }
}

// What the engine may have worked on: it counts nothing of what it refused or never got.
bool reached_engine(const Exchanged& x) {
  return observed(x.sent) && x.ending != Ending::kHttpError && x.ending != Ending::kConnectFailed;
}

}  // namespace

std::optional<double> EngineSide::output_difference() const {
  return difference(generation_tokens, output_bounds, client_output_tokens);
}
std::optional<double> EngineSide::prompt_difference() const {
  return difference(prompt_tokens, prompt_bounds, client_prompt_tokens);
}

EngineTally::EngineTally(const StepSpan& span) : span_(span) {}

void EngineTally::add(const record::RequestRow& row) {
  const Exchanged& x = row.exchanged;
  if (!reached_engine(x)) return;
  const auto output = output_count(x);
  const std::uint64_t seen = output.value_or(static_cast<std::uint32_t>(x.tokens.size()));
  client_.client_output_tokens += seen;
  client_.client_prompt_tokens += x.prompt_tokens.value_or(0);
  const bool whole = x.ending == Ending::kDone && output && x.prompt_tokens;
  client_.client_uncounted += whole ? 0 : 1;
  add_bounds(client_.output_bounds, whole, seen, row.output_asked);
  // How many tokens the prompt of an answer without usage had is known to nobody but the server.
  add_bounds(client_.prompt_bounds, whole, x.prompt_tokens.value_or(0),
             x.prompt_tokens.value_or(0));
}

void EngineTally::add(const record::EngineSampleRow& row) {
  const auto metric = engine_metric_from(row.metric);
  if (!metric) return;
  Seen& seen = seen_[static_cast<std::size_t>(*metric)];
  if (row.moment == "before") {
    looked_before_ = true;
    seen.before = row.value;
  } else if (row.moment == "after") {
    seen.after = row.value;
  } else {
    client_.looks += row.at == last_look_ ? 0 : 1;
    last_look_ = row.at;
    seen.most = std::max(seen.most.value_or(row.value), row.value);
    const std::size_t second = second_of_end(span_.begin, row.at);
    if (seen.series.empty()) seen.series.resize(seconds_between(span_.begin, span_.end));
    if (second < seen.series.size()) seen.series[second] = row.value;
  }
}

EngineSide EngineTally::side() const {
  using M = EngineMetric;
  EngineSide out = client_;
  out.prompt_tokens = growth(M::kPromptTokens);
  out.generation_tokens = growth(M::kGenerationTokens);
  out.requests_finished = growth(M::kRequestsFinished);
  out.requests_refused = growth(M::kRequestsRefused);
  out.preemptions = growth(M::kPreemptions);
  out.cache_hit_rate = hit_rate();
  out.running_max = of(M::kRequestsRunning).most;
  out.waiting_max = of(M::kRequestsWaiting).most;
  out.kv_cache_usage_max = of(M::kKvCacheUsage).most;
  out.queue_time_mean_ms = mean_ms(M::kQueueTimeSum, M::kQueueTimeCount);
  out.ttft_mean_ms = mean_ms(M::kTtftSum, M::kTtftCount);
  return out;
}

SparseSeries EngineTally::series(EngineMetric metric) const {
  return of(metric).series;
}

const EngineTally::Seen& EngineTally::of(EngineMetric metric) const {
  return seen_[static_cast<std::size_t>(metric)];
}

// A counter that a page does not show yet is at 0: servers show many of them from their first
// event on. One that went down was begun anew, and nothing is known.
std::optional<double> EngineTally::growth(EngineMetric metric) const {
  const Seen& seen = of(metric);
  if (!looked_before_ || !seen.after) return std::nullopt;
  const double grown = *seen.after - seen.before.value_or(0.0);
  return grown < 0 ? std::nullopt : std::optional(grown);
}

std::optional<double> EngineTally::mean_ms(EngineMetric sum, EngineMetric count) const {
  const auto seconds = growth(sum);
  const auto events = growth(count);
  if (!seconds || !events || *events <= 0) return std::nullopt;
  return 1e3 * *seconds / *events;
}

// Of this step where the engine counts; else its own figure at the end, which is of its whole life.
std::optional<double> EngineTally::hit_rate() const {
  const auto asked = growth(EngineMetric::kPrefixQueryTokens);
  const auto found = growth(EngineMetric::kPrefixHitTokens);
  if (asked && found) return *asked > 0 ? std::optional(*found / *asked) : std::nullopt;
  return of(EngineMetric::kCacheHitRate).after;
}

}  // namespace evenbench::judge
