#include "judge/latency_samples.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/distribution.h"
#include "judge/request_tokens.h"
#include "judge/step_span.h"

namespace evenbench::judge {
namespace {

constexpr double kGapsLeftOut = 0.05;

std::optional<double> share_of(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

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
  add_quality(x);
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
  quality_.gaps += x.tokens.size() - 1;
  for (std::size_t i = 1; i < x.tokens.size(); ++i) {
    const TokenEvent& one = x.tokens[i - 1];
    const TokenEvent& next = x.tokens[i];
    if (one.merged || next.merged || !instants_.comparable(one.at, next.at)) {
      ++quality_.gaps_left_out;
      continue;
    }
    const double gap = to_millis(instants_.of(next.at) - instants_.of(one.at));
    chunk_gap_.add(gap);
    if (!known) continue;
    const std::uint32_t tokens = std::max(next.tokens, 1U);
    itl_.add(gap / tokens, tokens);
  }
}

void LatencySamples::add_quality(const Exchanged& x) {
  const auto count = [this](const Stamp& at) {
    const bool stamped = observed(at.kernel);
    ++quality_.instants;
    quality_.kernel_stamped += stamped ? 1 : 0;
    quality_.by_program += instants_.kernel() && !stamped ? 1 : 0;
  };
  if (!x.streamed) {
    if (observed(x.last_token)) count(x.last_token);
    return;
  }
  for (const TokenEvent& event : x.tokens) {
    count(event.at);
    ++quality_.token_events;
    quality_.censored += event.merged ? 1 : 0;
  }
  if (!observed(x.first_token)) return;
  ++quality_.first_tokens;
  quality_.first_tokens_stamped += observed(x.first_token.kernel) ? 1 : 0;
  quality_.first_tokens_censored += !x.tokens.empty() && x.tokens.front().merged ? 1 : 0;
}

// What is left when many gaps are left out would be a selection: those of the reads that came in
// time.
void LatencySamples::fill_gaps(JudgedStep& step) {
  const InstantQuality& q = quality_;
  const double left_out = share_of(q.gaps_left_out, q.gaps).value_or(0.0);
  if (left_out > kGapsLeftOut) {
    chunk_gap_.clear();
    itl_.clear();
    step.no_gaps_because = fmt::format(
        "{:.1f} % of the gaps between token events cannot be told, because a read held several "
        "events or one of the two has no kernel stamp (at most {:.0f} % may be left out)",
        100 * left_out, 100 * kGapsLeftOut);
  }
  step.chunk_gap = chunk_gap_.distribution();
  step.itl = itl_.distribution();
  step.instants = q;
  step.censored_first_token_share = share_of(q.first_tokens_censored, q.first_tokens);
  step.censored_event_share = share_of(q.censored, q.token_events);
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
  fill_gaps(step);
  step.request_output_rate = distribution_of(output_rate_);
  step.ttft_cdf_ms = cdf_of(ttft_);
  step.tpot_cdf_ms = cdf_of(tpot_);
  step.e2e_cdf_ms = cdf_of(e2e_);
}

}  // namespace evenbench::judge
