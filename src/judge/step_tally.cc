#include "judge/step_tally.h"

#include <algorithm>

#include "judge/distribution.h"
#include "judge/request_tokens.h"
#include "judge/seconds.h"

namespace evenbench::judge {
namespace {

// The first thing that the client did for a request.
MonoTime begun_at(const Exchanged& x) {
  if (!observed(x.sent)) return x.connect_started;
  return observed(x.connect_started) ? std::min(x.connect_started, x.sent) : x.sent;
}

// When the answer was whole. A trailing usage event or a late close does not make it later.
MonoTime over_at(const Exchanged& x, Instants instants) {
  const bool whole = x.ending == Ending::kDone && observed(x.last_token);
  return instants.of(whole ? x.last_token : x.closed);
}

void stretch(MonoTime& first, MonoTime& last, MonoTime t) {
  first = observed(first) ? std::min(first, t) : t;
  last = std::max(last, t);
}

std::optional<double> rate_of(std::uint64_t n, MonoTime first, MonoTime last) {
  if (n < 2 || last <= first) return std::nullopt;
  return static_cast<double>(n - 1) / to_seconds(last - first);
}

JudgedStep named_as(const record::StepRow& row) {
  JudgedStep step;
  step.kind = row.kind;
  step.ordinal = row.ordinal;
  step.planned_rate = row.planned_rate;
  step.concurrency = row.concurrency;
  step.arrivals = row.arrivals;
  return step;
}

}  // namespace

StepTally::StepTally(const record::StepRow& row, const StepSpan& span, Instants instants)
    : step(named_as(row)),
      span_(span),
      instants_(instants),
      planned_(row.planned),
      latencies_(instants),
      failures_(instants),
      tokens_(span, instants),
      in_flight_(span.begin, span.end) {
  step.window_s = span.window.seconds();
  facts.open_loop = row.kind != "closed";
  facts.finished = row.finished;
  facts.note = row.note;
  facts.client.max_in_flight = row.max_in_flight;
  const std::size_t seconds = seconds_between(span.begin, span.end);
  step.series.sent_per_s.resize(seconds);
  step.series.completed_per_s.resize(seconds);
}

void StepTally::add(const record::RequestRow& row) {
  add_any(row);
  add_flow(row);
  if (row.phase == Phase::kMeasure) add_cohort(row);
}

void StepTally::add_any(const record::RequestRow& row) {
  const Exchanged& x = row.exchanged;
  tokens_.add(x);
  in_flight_.add(begun_at(x), observed(x.closed) ? instants_.of(x.closed) : span_.end);
  if (observed(x.sent)) add_at(step.series.sent_per_s, second_of_start(span_.begin, x.sent), 1.0);
  if (in_window(begun_at(x))) {
    ++step.client.begun_in_window;
    const bool opened = observed(x.connected) && in_window(x.connect_started);
    step.client.opened_in_window += opened ? 1 : 0;
  }
  step.reopened += x.reopened ? 1 : 0;
  if (observed(x.connect_started)) {
    ++step.connections_opened;
    if (observed(x.connected)) connect_.push_back(to_millis(x.connected - x.connect_started));
  }
  const MonoTime over = over_at(x, instants_);
  if (x.ending != Ending::kDone || !observed(over)) return;
  add_at(step.series.completed_per_s, second_of_end(span_.begin, over), 1.0);
  if (!span_.window.holds(over)) return;
  ++completed_;
  const auto n = output_count(x);
  completed_output_ += n.value_or(0);
  completed_output_known_ = completed_output_known_ && n.has_value();
  completed_input_ += x.prompt_tokens.value_or(0);
  completed_input_known_ = completed_input_known_ && x.prompt_tokens.has_value();
}

// Of something that begins: Window::holds() is for what ends or arrives.
bool StepTally::in_window(MonoTime begins) const {
  const Window& window = span_.window;
  return window.known() && begins >= window.begin && begins < window.end;
}

void StepTally::add_flow(const record::RequestRow& row) {
  if (!span_.window.known()) return;
  const Window& window = span_.window;
  const MonoTime middle = window.begin + (window.end - window.begin) / 2;
  const Exchanged& x = row.exchanged;
  const MonoTime over = over_at(x, instants_);
  WindowFlow& flow = facts.flow;
  if (in_window(row.planned)) {
    ++flow.arrived;
    flow.arrived_late += row.planned >= middle ? 1 : 0;
  }
  const auto waits_at = [&](MonoTime t) {
    return row.planned < t && (!observed(over) || over > t || x.ending == Ending::kCutAtEnd);
  };
  flow.waiting_at_begin += waits_at(window.begin) ? 1 : 0;
  flow.waiting_at_end += waits_at(window.end) ? 1 : 0;
  if (x.ending == Ending::kCutAtEnd || !window.holds(over)) return;
  if (is_refusal(x)) {
    ++flow.refused;
    return;
  }
  ++flow.served;
  flow.served_late += over > middle ? 1 : 0;
}

void StepTally::add_cohort(const record::RequestRow& row) {
  const Exchanged& x = row.exchanged;
  ++facts.rows;
  ++step.endings[static_cast<std::size_t>(x.ending)];
  step.retries += x.attempts > 1 ? x.attempts - 1 : 0;
  reads_ += x.reads;
  merged_reads_ += x.merged_reads;
  if (const MonoTime begun = begun_at(x); observed(begun)) {
    ++facts.client.begun;
    begun_late_.push_back(to_millis(begun - row.planned));
  }
  if (observed(x.sent)) {
    ++step.sent;
    lateness_.push_back(to_millis(x.sent - row.planned));
    stretch(first_sent_, last_sent_, x.sent);
    stretch(first_planned_, last_planned_, row.planned);
  }
  if (x.ending == Ending::kDone) {
    add_good(row);
  } else if (is_failure(x.ending)) {
    ++step.failed;
    failures_.add(x, span_.begin);
    if (observed(x.closed))
      failed_after_.push_back(to_millis(instants_.of(x.closed) - row.planned));
  } else {
    ++facts.cut;
  }
}

void StepTally::add_good(const record::RequestRow& row) {
  const Exchanged& x = row.exchanged;
  ++step.good;
  latencies_.add_good(row);
  ++step.token_sources[std::string(name_of(x.source))];
  step.reasoning_tokens += x.reasoning_tokens.value_or(0);
  LengthFacts& lengths = facts.lengths;
  if (const auto n = output_count(x)) {
    step.output_tokens += *n;
    if (row.output_asked > 0) {
      lengths.output_given += *n;
      lengths.output_asked += row.output_asked;
      if (*n < row.output_asked && x.finish_reason == "length") ++lengths.stopped_short;
    }
  } else {
    ++facts.unknown_count;
  }
  step.input_asked += row.input_asked;
  if (!x.prompt_tokens) return;
  step.input_tokens += *x.prompt_tokens;
  if (row.input_asked > 0) {
    lengths.input_counted += *x.prompt_tokens;
    lengths.input_asked += row.input_asked;
  }
  if (x.cached_tokens) {
    cached_known_ = true;
    cached_ += *x.cached_tokens;
    cached_of_ += *x.prompt_tokens;
  }
}

void StepTally::finish() {
  step.planned = std::max<std::uint64_t>(planned_, facts.rows);
  // Still open at the cool-down's limit: the server had all the time that the spec gives. In a
  // closed loop, or when somebody stopped the run, it had not.
  const bool cut_is_too_slow = facts.open_loop && facts.finished;
  latencies_.fill(step, step.failed + (cut_is_too_slow ? facts.cut : 0));
  facts.unmeasured = latencies_.unmeasured();
  step.lateness = distribution_of(lateness_);
  step.connect = distribution_of(connect_);
  step.failed_after = distribution_of(failed_after_);
  step.failures = failures_.classes();
  finish_client();
  finish_series();
  finish_rates();
}

void StepTally::finish_client() {
  step.sent_rate = rate_of(step.sent, first_sent_, last_sent_);
  ClientFacts& client = facts.client;
  client.plan_rate = rate_of(step.sent, first_planned_, last_planned_);
  client.kernel_stamps = instants_.kernel();
  step.client.begun_late_p99_ms = distribution_of(begun_late_).p99;
  client.peak_in_flight = in_flight_.peak();
}

void StepTally::finish_series() {
  step.series.in_flight = in_flight_.mean_per_second();
  step.series.tokens_per_s = tokens_.tokens_per_second();
  if (!span_.window.known()) return;
  const std::vector<double>& all = step.series.in_flight;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const MonoTime end = end_of_second(span_.begin, i);
    const bool inside = end - kOneSecond >= span_.window.begin && end <= span_.window.end;
    if (inside) facts.flow.in_flight.push_back(all[i]);
  }
}

void StepTally::finish_rates() {
  step.tokens_per_event = tokens_.tokens_per_event();
  facts.failed_events = tokens_.failed_events();
  const LengthFacts& lengths = facts.lengths;
  const auto share = [](auto part, auto whole) -> std::optional<double> {
    if (whole == 0) return std::nullopt;
    return static_cast<double>(part) / static_cast<double>(whole);
  };
  step.achieved_output_share = share(lengths.output_given, lengths.output_asked);
  if (cached_known_) step.cached_input_share = share(cached_, cached_of_);
  step.merged_read_share = share(merged_reads_, reads_);
  if (!span_.window.known()) return;
  const double window = span_.window.seconds();
  step.completed_rate = static_cast<double>(completed_) / window;
  // A number that only some of the answers gave would be a rate of those, not of the system.
  if (completed_output_known_) {
    step.output_tokens_per_s_completed = static_cast<double>(completed_output_) / window;
  }
  if (completed_input_known_) {
    step.input_tokens_per_s = static_cast<double>(completed_input_) / window;
  }
  if (const auto tokens = tokens_.tokens_in_window()) step.output_tokens_per_s = *tokens / window;
}

}  // namespace evenbench::judge
