// steps.csv by RFC 4180: comma, CRLF, a header, one row per step. A column has its name and its
// cell side by side here, so that a row can never shift against the header. Absent is an empty
// field.
#include <fmt/format.h>

#include "report/csv_row.h"
#include "report/figures.h"
#include "report/report.h"

namespace evenbench::report {
namespace {

using judge::Distribution;
using judge::JudgedStep;
using judge::JudgedSystem;

using Row = CsvRow;

void add_identity(Row& row, const JudgedSystem& system, const JudgedStep& step) {
  row.add("system", system.name);
  row.add("engine", system.engine);
  row.add("engine_version", system.engine_version);
  row.add("simulated", system.simulated ? "true" : "false");
  row.add("kind", step.kind);
  row.add("block", fmt::format("{}", step.block));
  row.add("visit", fmt::format("{}", step.visit));
  row.add("ordinal", fmt::format("{}", step.ordinal));
  row.add("arrivals", step.arrivals);
  row.add("label", judge::name_of(step.label));
  row.add("planned_rate", step.planned_rate);
  row.add("sent_rate", step.sent_rate);
  row.add("completed_rate", step.completed_rate);
  row.add("concurrency",
          step.concurrency ? std::optional<double>(*step.concurrency) : std::nullopt);
  row.add("begin_s", step.begin_s);
  row.add("window_s", step.window_s);
}

void add_requests(Row& row, const JudgedStep& step) {
  row.add_count("planned", step.planned);
  row.add_count("sent", step.sent);
  row.add_count("good", step.good);
  row.add_count("failed", step.failed);
  for (int i = 0; i < kEndingCount; ++i) {
    row.add_count(fmt::format("ending_{}", name_of(static_cast<Ending>(i))),
                  step.endings[static_cast<std::size_t>(i)]);
  }
}

void add_distribution(Row& row, std::string_view key, const Distribution& d) {
  const auto name = [&](std::string_view figure) { return fmt::format("{}_{}", key, figure); };
  const judge::Percentiles failures = d.with_failures.value_or(judge::Percentiles{});
  row.add_count(name("count"), d.count);
  row.add(name("mean"), d.mean);
  row.add(name("min"), d.min);
  row.add(name("p50"), d.p50);
  row.add(name("p90"), d.p90);
  row.add(name("p95"), d.p95);
  row.add(name("p99"), d.p99);
  row.add(name("max"), d.max);
  row.add(name("with_failures_p50"), failures.p50);
  row.add(name("with_failures_p95"), failures.p95);
  row.add(name("with_failures_p99"), failures.p99);
}

void add_tokens_and_client(Row& row, const JudgedStep& step) {
  row.add_count("output_tokens", step.output_tokens);
  row.add("output_tokens_per_s", step.output_tokens_per_s);
  row.add("output_tokens_per_s_completed", step.output_tokens_per_s_completed);
  row.add("output_share_of_asked", step.achieved_output_share);
  row.add_count("reasoning_tokens", step.reasoning_tokens);
  for (int i = 0; i < kTokenSourceCount; ++i) {
    const std::string source(name_of(static_cast<TokenSource>(i)));
    const auto found = step.token_sources.find(source);
    row.add_count("token_source_" + source, found == step.token_sources.end() ? 0 : found->second);
  }
  row.add_count("input_tokens", step.input_tokens);
  row.add("input_tokens_per_s", step.input_tokens_per_s);
  row.add("cached_input_share", step.cached_input_share);
  row.add("tokens_per_event", step.tokens_per_event);
  row.add("merged_read_share", step.merged_read_share);
  row.add("lateness_ms_p50", step.lateness.p50);
  row.add("lateness_ms_p99", step.lateness.p99);
  row.add("lateness_ms_max", step.lateness.max);
  row.add_count("connections_opened", step.connections_opened);
  row.add_count("reopened", step.reopened);
  row.add_count("retries", step.retries);
}

std::optional<double> as_number(const std::optional<std::uint64_t>& value) {
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

void add_health(Row& row, const JudgedStep& step, StampChoice stamp) {
  const judge::ClientHealth& h = step.client;
  row.add("stamp", name_of(stamp));
  row.add("kernel_to_user_ms_p50", h.delay_p50_ms);
  row.add("kernel_to_user_ms_p99", h.delay_p99_ms);
  row.add("kernel_to_user_ms_max", h.delay_max_ms);
  row.add("loop_stalls", as_number(h.stalls));
  row.add("loop_stall_ms_max", h.stall_max_ms);
  row.add("cpu_share", h.cpu_share);
  row.add("cpu_peak_share", h.cpu_peak_share);
  row.add("run_queue_wait_share", h.run_queue_share);
  row.add("receive_queue_max_bytes", as_number(h.receive_queue_max));
  row.add("zero_windows", as_number(h.zero_windows));
  row.add("segments_resent", as_number(h.segments_resent));
  row.add_count("connections_opened_in_window", h.opened_in_window);
  row.add("limit_errors", as_number(h.limit_errors));
  row.add("clock_move_ms_max", h.clock_move_max_ms);
  row.add("censored_event_share", step.censored_event_share);
  row.add("censored_first_token_share", step.censored_first_token_share);
  std::string broken;
  for (const judge::BrokenLimit& limit : h.broken) {
    broken += fmt::format("{}{}{}", broken.empty() ? "" : "; ", judge::name_of(limit.signal),
                          limit.hard ? " (hard)" : "");
  }
  row.add("limits_broken", broken);
}

void add_engine(Row& row, const judge::EngineSide& e) {
  row.add("engine_prompt_tokens", e.prompt_tokens);
  row.add("engine_generation_tokens", e.generation_tokens);
  row.add("engine_output_difference", e.output_difference());
  row.add("engine_prompt_difference", e.prompt_difference());
  row.add("engine_requests_refused", e.requests_refused);
  row.add("engine_preemptions", e.preemptions);
  row.add("engine_cache_hit_rate", e.cache_hit_rate);
  row.add("engine_running_max", e.running_max);
  row.add("engine_waiting_max", e.waiting_max);
  row.add("engine_kv_cache_usage_max", e.kv_cache_usage_max);
  row.add("engine_queue_time_mean_ms", e.queue_time_mean_ms);
}

void add_sentences(Row& row, const JudgedStep& step) {
  std::string reasons;
  for (const std::string& reason : step.reasons) reasons += (reasons.empty() ? "" : "; ") + reason;
  std::string failures;
  for (const judge::FailureClass& failure : step.failures) {
    failures += fmt::format("{}{} x {}: {}", failures.empty() ? "" : "; ", failure.count,
                            name_of(failure.ending), failure.detail);
  }
  row.add("reasons", reasons);
  row.add("failures", failures);
}

Row row_of(const JudgedSystem& system, const JudgedStep& step, StampChoice stamp) {
  Row row;
  add_identity(row, system, step);
  add_requests(row, step);
  for (const Figure& one : kFigures) add_distribution(row, one.key, step.*one.of);
  add_tokens_and_client(row, step);
  add_health(row, step, stamp);
  add_engine(row, step.engine);
  add_sentences(row, step);
  return row;
}

}  // namespace

std::string steps_csv(const judge::JudgedRun& run) {
  std::string out = row_of({}, {}, run.stamp.used).header();
  for (const JudgedSystem& system : run.systems) {
    for (const JudgedStep& step : system.steps) out += row_of(system, step, run.stamp.used).cells();
  }
  return out;
}

}  // namespace evenbench::report
