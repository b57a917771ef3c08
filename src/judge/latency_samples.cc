#include "judge/latency_samples.h"

#include <algorithm>

#include "judge/distribution.h"
#include "judge/request_tokens.h"
#include "judge/step_span.h"

namespace evenbench::judge {

void LatencySamples::put(std::vector<double>& samples, MonoTime from, MonoTime to) {
  if (!observed(from) || !observed(to)) return;
  if (to < from) {
    ++unmeasured_.impossible;
    return;
  }
  samples.push_back(to_millis(to - from));
}

void LatencySamples::add_good(const record::RequestRow& row) {
  const Exchanged& x = row.exchanged;
  const MonoTime last = instants_.of(x.last_token);
  ++unmeasured_.good;
  put(e2e_, row.planned, last);
  put(e2e_service_, x.sent, last);
  const auto n = output_count(x);
  if (n && observed(last) && last > row.planned) {
    output_rate_.push_back(static_cast<double>(*n) / to_seconds(last - row.planned));
  }
  if (!x.streamed) {
    ++unmeasured_.not_streamed;
    return;
  }
  put(ttft_, row.planned, instants_.of(x.first_token));
  put(ttft_service_, x.sent, instants_.of(x.first_token));
  put(first_content_, row.planned, instants_.of(x.first_content));
  add_tpot(x);
  add_gaps(x);
}

void LatencySamples::add_tpot(const Exchanged& x) {
  const auto n = output_count(x);
  const MonoTime first = instants_.of(x.first_token);
  const MonoTime last = instants_.of(x.last_token);
  if (!n || *n < 2 || !observed(first) || !observed(last)) return;
  // A whole answer in one event, or all its events in one read, has no time per token; 0 would be
  // the best there is.
  if (last <= first) {
    ++unmeasured_.in_one_piece;
    return;
  }
  tpot_.push_back(to_millis(last - first) / (*n - 1.0));
}

void LatencySamples::add_gaps(const Exchanged& x) {
  if (x.tokens.size() < 2) return;
  const bool known = event_counts_are_known(x);
  if (!known) ++unmeasured_.uncounted_events;
  for (std::size_t i = 1; i < x.tokens.size(); ++i) {
    const double gap = to_millis(instants_.of(x.tokens[i].at) - instants_.of(x.tokens[i - 1].at));
    chunk_gap_.push_back(gap);
    if (!known) continue;
    const std::uint32_t tokens = std::max(x.tokens[i].tokens, 1U);
    itl_.insert(itl_.end(), tokens, gap / tokens);
  }
}

void LatencySamples::fill(JudgedStep& step, std::uint64_t failed) {
  // One answer with unknown counts would leave the rest a selection: slow clients and servers merge
  // the most.
  if (unmeasured_.uncounted_events > 0) itl_.clear();
  const bool streams = unmeasured_.good == 0 || unmeasured_.good > unmeasured_.not_streamed;
  const auto give = [&](std::vector<double>& samples, Distribution& out, bool applies) {
    out = distribution_of(samples);
    if (applies) out.with_failures = percentiles_with_failures(samples, failed);
  };
  give(ttft_, step.ttft, streams);
  give(ttft_service_, step.ttft_service, streams);
  give(first_content_, step.first_content, streams);
  give(tpot_, step.tpot, streams);
  give(e2e_, step.e2e, true);
  give(e2e_service_, step.e2e_service, true);
  step.chunk_gap = distribution_of(chunk_gap_);
  step.itl = distribution_of(itl_);
  step.request_output_rate = distribution_of(output_rate_);
  step.ttft_cdf_ms = cdf_of(ttft_);
  step.tpot_cdf_ms = cdf_of(tpot_);
  step.e2e_cdf_ms = cdf_of(e2e_);
}

}  // namespace evenbench::judge
