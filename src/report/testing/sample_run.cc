#include "report/testing/sample_run.h"

#include <cmath>
#include <limits>

namespace evenbench::report::testing {
namespace {

using judge::Distribution;
using judge::JudgedRun;
using judge::JudgedStep;
using judge::JudgedSystem;
using judge::Label;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// A skewed distribution around `middle`; the larger `share` of failed requests, the fewer of its
// percentiles stay finite when they count.
Distribution around(double middle, std::uint64_t good, double failed_share) {
  Distribution d;
  d.count = good;
  d.mean = middle * 1.1;
  d.min = middle * 0.4;
  d.p50 = middle;
  d.p90 = middle * 1.8;
  d.p95 = middle * 2.25;
  d.p99 = middle * 3.5;
  d.max = middle * 5;
  d.with_failures = judge::Percentiles{middle * (1 + failed_share),
                                       failed_share > 0.05 ? kUnbounded : middle * 2.25,
                                       failed_share > 0.01 ? kUnbounded : middle * 3.5};
  return d;
}

std::vector<double> curve_of(const Distribution& d) {
  std::vector<double> points;
  for (int i = 0; i <= 100; ++i)
    points.push_back(*d.min + (*d.max - *d.min) * std::pow(i / 100.0, 4));
  return points;
}

void fill_series(JudgedStep& step, double rate) {
  for (int second = 0; second < 20; ++second) {
    const double ripple = std::sin(second * 1.7);
    step.series.in_flight.push_back(rate * 2 + ripple);
    step.series.sent_per_s.push_back(rate + ripple);
    step.series.completed_per_s.push_back(second < 2 ? 0 : rate - ripple);
    step.series.tokens_per_s.push_back(second < 1 ? 0 : rate * 128 + 40 * ripple);
  }
}

// An engine that was asked every second, but for one.
void fill_engine(JudgedStep& step) {
  judge::EngineSide& e = step.engine;
  e.looks = 19;
  e.client_prompt_tokens = step.input_tokens;
  e.client_output_tokens = step.output_tokens;
  e.prompt_tokens = static_cast<double>(step.input_tokens);
  e.generation_tokens = static_cast<double>(step.output_tokens) + 128;
  e.prompt_bounds = {step.input_tokens, step.input_tokens};
  e.output_bounds = {step.output_tokens, step.output_tokens};
  e.preemptions = 3;
  e.cache_hit_rate = 0.0125;
  e.running_max = 256;
  e.waiting_max = 48;
  e.kv_cache_usage_max = 0.975;
  e.queue_time_mean_ms = 1250;
  for (int second = 0; second < 20; ++second) {
    const bool seen = second != 7;
    step.series.running.push_back(seen ? std::optional(256.0) : std::nullopt);
    step.series.waiting.push_back(seen ? std::optional(2.5 * second) : std::nullopt);
    step.series.kv_cache_usage.push_back(seen ? std::optional(0.975) : std::nullopt);
  }
}

// A client of two workers that had much room, but for a receive queue that was once too full in a
// saturated step.
void fill_client(JudgedStep& step, bool saturated) {
  judge::ClientHealth& h = step.client;
  h.workers = 2;
  h.cpu_share = 0.125;
  h.cpu_peak_share = 0.25;
  h.run_queue_share = 0.001;
  h.stall_max_ms = 1.5;
  h.stalls = 3;
  h.delay_p50_ms = 0.0025;
  h.delay_p99_ms = 0.04;
  h.delay_max_ms = 0.75;
  h.reads = h.stamped_reads = step.good * 128;
  h.receive_queue_max = saturated ? 70'000 : 4096;
  h.zero_windows = 0;
  h.segments_sent = step.sent;
  h.segments_resent = 0;
  h.connections_opened = h.connections_open_max = 8;
  h.limit_errors = 0;
  h.files_limit = 1024;
  h.clock_move_max_ms = 0.01;
  h.clock_error_max_ms = 0.0005;
  h.begun_in_window = step.sent;
  h.begun_late_p99_ms = step.lateness.p99;
  if (saturated) h.broken = {{judge::Signal::kReceiveQueue, 70'000, 65'536, false}};
  step.instants.instants = step.instants.token_events = step.good * 128;
  step.instants.kernel_stamped = step.instants.instants - 1;
  step.instants.by_program = 1;
  step.instants.first_tokens = step.instants.first_tokens_stamped = step.good;
  step.instants.gaps = step.good * 127;
  step.censored_event_share = 0.0125;
  step.censored_first_token_share = 0;
}

JudgedStep step_at(double rate, int block, double ttft, double tpot, Label label,
                   std::uint64_t failed) {
  JudgedStep step;
  step.kind = "ladder";
  step.arrivals = "poisson";
  step.block = step.visit = block;
  step.planned_rate = rate;
  step.sent_rate = rate * 1.0125;
  const bool saturated = label == Label::kSaturated;
  step.completed_rate = saturated ? 5.5 : rate * 0.9875;
  step.window_s = 120;
  step.planned = step.sent = static_cast<std::uint64_t>(rate * 120);
  step.failed = failed;
  step.good = step.sent - failed;
  step.endings[static_cast<std::size_t>(Ending::kDone)] = step.good;
  step.endings[static_cast<std::size_t>(Ending::kHttpError)] = failed;
  const double share = static_cast<double>(failed) / static_cast<double>(step.sent);
  step.ttft = step.ttft_service = step.first_content = around(ttft, step.good, share);
  step.tpot = around(tpot, step.good, share);
  step.e2e = step.e2e_service = around(ttft + 127 * tpot, step.good, share);
  step.chunk_gap = around(tpot * 0.9, step.good * 127, 0);
  step.lateness = around(0.05, step.sent, 0);
  step.connect = around(0.25, 8, 0);
  step.request_output_rate = around(900 / tpot, step.good, 0);
  if (failed > 0) step.failed_after = around(3, failed, 0);
  step.output_tokens = step.good * 128;
  step.output_tokens_per_s = *step.completed_rate * 128;
  step.output_tokens_per_s_completed = *step.completed_rate * 126;
  step.token_sources["usage"] = step.good;
  step.input_tokens = step.input_asked = step.good * 512;
  step.input_tokens_per_s = *step.completed_rate * 512;
  step.tokens_per_event = 1;
  step.merged_read_share = 0.0125;
  step.connections_opened = 8;
  step.label = label;
  fill_client(step, saturated);
  step.ttft_cdf_ms = curve_of(step.ttft);
  step.tpot_cdf_ms = curve_of(step.tpot);
  step.e2e_cdf_ms = curve_of(step.e2e);
  fill_series(step, rate);
  if (saturated) fill_engine(step);
  return step;
}

JudgedStep closed_step(std::uint32_t concurrency, int ordinal, double ttft, double tpot) {
  JudgedStep step = step_at(concurrency / 2.0, 1, ttft, tpot, Label::kSteady, 0);
  step.kind = "closed";
  step.arrivals = "";
  step.ordinal = ordinal;
  step.planned_rate.reset();
  step.concurrency = concurrency;
  return step;
}

JudgedSystem system_of(const std::string& name, double speed, bool simulated) {
  JudgedSystem system;
  system.name = name;
  system.engine = simulated ? "sim" : "openai";
  system.engine_version = simulated ? "" : "0.11.0";
  system.url = "http://127.0.0.1:8000";
  system.simulated = simulated;
  system.commands = {simulated ? "evenbench simulate --port 8001" : ""};
  system.manifest = {{"model", "org/model-7b", "spec"},
                     {"temperature", simulated ? "0" : "server default", "request"}};
  system.ready_s = {1.5, 1.25};
  for (int block = 1; block <= 2; ++block) {
    int ordinal = 0;
    for (const double rate : {1.0, 2.0, 4.0, 8.0}) {
      const double slower = (1 + rate / 8) * (block == 1 ? 1 : 1.04) / speed;
      const bool last = rate > 4;
      JudgedStep step =
          step_at(rate, block, (last ? 2000 : 80) * slower, 12 * slower,
                  last ? Label::kSaturated : Label::kSteady, last && simulated ? 60 : 0);
      if (last) step.completed_rate = 5.5 * speed;
      if (last) step.output_tokens_per_s = 704 * speed;
      step.ordinal = ++ordinal;
      step.begin_s = (block - 1) * 1000 + ordinal * 150;
      if (last) step.reasons = {"Fewer requests were completed than asked."};
      if (step.failed > 0) {
        step.failures = {
            {Ending::kHttpError, "HTTP 503: the request queue is full", step.failed, 31.5}};
      }
      system.steps.push_back(std::move(step));
    }
  }
  system.steps.push_back(closed_step(1, 5, 70 / speed, 10 / speed));
  system.steps.push_back(closed_step(16, 6, 160 / speed, 16 / speed));
  return system;
}

}  // namespace

JudgedRun sample_run() {
  JudgedRun run;
  run.title = "A small model on one machine";
  run.tool_version = "0.1.0";
  run.spec_sha256 = std::string(64, 'a');
  run.spec_yaml = "evenbench: 1\ntitle: A small model on one machine\nseed: 42\n";
  run.started = "2026-01-02T03:04:05Z";
  run.seed = 42;
  run.complete = true;
  run.stamp = {StampChoice::kAuto, StampChoice::kKernel,
               "in every system at least 99 % of the first tokens carry one", false};
  run.host = {{"cores", "16", "nproc"}, {"kernel", "6.1.0", "uname"}};
  run.systems = {system_of("north", 1.0, false), system_of("south", 0.8, true)};
  run.audit.label = audit::Comparability::kWithReservations;
  run.audit.lines = {{"dtype",
                      "dtype",
                      audit::Outcome::kSame,
                      {{"bfloat16", "bfloat16", "/info"}, {"bfloat16", "bfloat16", "log"}}},
                     {"prefix_cache",
                      "prefix cache",
                      audit::Outcome::kDiffers,
                      {{"", "on", "/info"}, {"off", "off", "command line"}}},
                     {"kv_cache_dtype",
                      "KV cache dtype",
                      audit::Outcome::kUnknown,
                      {{"auto", "", ""}, {"", "fp8", "log"}}}};
  run.audit.findings = {
      {audit::Weight::kReserve, "prefix_cache",
       "The systems differ in prefix cache: north on (/info), south off (command line): "
       "switch it off everywhere, or on everywhere."}};
  run.findings = {
      {"system", "south", "warning", "output_length_missed",
       "Answers were 3 % shorter than asked; set ignore_eos."},
      {"run", "", "note", "prefix_cache", "Prompts are unique, so no prefix was cached."}};
  return run;
}

JudgedRun failed_run() {
  JudgedStep step;
  step.kind = "ladder";
  step.planned_rate = 1;
  step.window_s = 3;
  step.planned = step.sent = step.failed = 3;
  step.endings[static_cast<std::size_t>(Ending::kHttpError)] = 3;
  step.failures = {{Ending::kHttpError, "HTTP 500: bad, \"very\" bad\n坏", 3, 0.25}};
  step.ttft.with_failures = judge::Percentiles{kUnbounded, kUnbounded, kUnbounded};
  step.label = Label::kFailed;
  step.reasons = {"No request was good."};
  JudgedRun run;
  run.title = "org/model-7b";
  run.tool_version = "0.1.0";
  run.complete = true;
  run.systems.resize(1);
  run.systems[0].name = "only";
  run.systems[0].engine = "openai";
  run.systems[0].steps = {step};
  return run;
}

JudgedRun empty_run() {
  JudgedRun run;
  run.title = "Nothing yet";
  run.tool_version = "0.1.0";
  run.reason = "the port of the first system was taken";
  return run;
}

JudgedRun run_full_of(const std::string& text) {
  JudgedRun run = sample_run();
  run.title = run.tool_version = run.spec_sha256 = run.spec_yaml = run.started = run.reason = text;
  run.complete = false;
  run.stamp.why = text;
  run.host = {{text, text, text}};
  for (JudgedSystem& system : run.systems) {
    system.name = system.engine = system.engine_version = system.url = text;
    system.commands = {text};
    system.manifest = {{text, text, text}};
    system.gpus.resize(1);
    system.gpus[0].name = system.gpus[0].uuid = system.gpus[0].source = text;
    system.gpus[0].facts = {{text, text}};
    for (JudgedStep& step : system.steps) {
      step.arrivals = text;
      step.reasons = {text};
      step.no_gaps_because = text;
      step.token_sources = {{text, 1}};
      step.failures = {{Ending::kReset, text, 1, 0.5}};
    }
  }
  for (audit::Line& line : run.audit.lines) {
    line.key = line.title = text;
    for (audit::Stated& value : line.values) value = {text, text, text};
  }
  for (audit::Finding& finding : run.audit.findings) finding.key = finding.text = text;
  run.findings = {{text, text, text, text, text}};
  return run;
}

}  // namespace evenbench::report::testing
