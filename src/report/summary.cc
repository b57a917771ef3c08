#include "report/summary.h"

#include <cmath>

#include "report/comparability.h"
#include "report/figures.h"
#include "report/report.h"

namespace evenbench::report {
namespace {

using Json = nlohmann::ordered_json;
using judge::Distribution;
using judge::JudgedStep;
using judge::JudgedSystem;

Json figure(const std::optional<double>& value) {
  if (!value || std::isnan(*value)) return nullptr;
  if (std::isinf(*value)) return "unbounded";
  return *value;
}

// Rates and shares are finite or absent.
void put(Json& object, const char* key, const std::optional<double>& value) {
  if (value && std::isfinite(*value)) object[key] = *value;
}

Json distribution(const Distribution& d) {
  Json out = {{"count", d.count},     {"mean", figure(d.mean)}, {"min", figure(d.min)},
              {"p50", figure(d.p50)}, {"p90", figure(d.p90)},   {"p95", figure(d.p95)},
              {"p99", figure(d.p99)}, {"max", figure(d.max)}};
  if (d.with_failures) {
    out["with_failures"] = {{"p50", figure(d.with_failures->p50)},
                            {"p95", figure(d.with_failures->p95)},
                            {"p99", figure(d.with_failures->p99)}};
  }
  put(out, "relative_error", d.relative_error);
  return out;
}

template <typename T>
void put_known(Json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

Json broken_limits(const judge::ClientHealth& health) {
  Json out = Json::array();
  for (const judge::BrokenLimit& broken : health.broken) {
    out.push_back({{"signal", judge::name_of(broken.signal)},
                   {"value", figure(broken.value)},
                   {"limit", figure(broken.limit)},
                   {"hard", broken.hard}});
  }
  return out;
}

void put_instants(Json& out, const JudgedStep& step, StampChoice stamp) {
  const judge::InstantQuality& q = step.instants;
  out["stamp"] = name_of(stamp);
  out["instants"] = {{"count", q.instants},
                     {"kernel_stamped", q.kernel_stamped},
                     {"by_program_instead", q.by_program},
                     {"first_tokens", q.first_tokens},
                     {"first_tokens_kernel_stamped", q.first_tokens_stamped}};
  put(out, "censored_event_share", step.censored_event_share);
  put(out, "censored_first_token_share", step.censored_first_token_share);
  out["gaps"] = {{"count", q.gaps}, {"left_out", q.gaps_left_out}};
  if (!step.no_gaps_because.empty()) out["gaps"]["absent_because"] = step.no_gaps_because;
}

Json client(const JudgedStep& step, StampChoice stamp) {
  const judge::ClientHealth& h = step.client;
  Json out = {{"workers", h.workers}};
  put_instants(out, step, stamp);
  put(out, "begun_late_p99_ms", h.begun_late_p99_ms);
  put(out, "kernel_to_user_p50_ms", h.delay_p50_ms);
  put(out, "kernel_to_user_p99_ms", h.delay_p99_ms);
  put(out, "kernel_to_user_max_ms", h.delay_max_ms);
  put_known(out, "reads", h.reads);
  put_known(out, "stamped_reads", h.stamped_reads);
  put_known(out, "loop_stalls", h.stalls);
  put(out, "loop_stall_max_ms", h.stall_max_ms);
  put(out, "cpu_share", h.cpu_share);
  put(out, "cpu_peak_share", h.cpu_peak_share);
  put(out, "run_queue_wait_share", h.run_queue_share);
  put_known(out, "receive_queue_max_bytes", h.receive_queue_max);
  put_known(out, "zero_windows", h.zero_windows);
  put_known(out, "segments_sent", h.segments_sent);
  put_known(out, "segments_resent", h.segments_resent);
  put_known(out, "connections_opened", h.connections_opened);
  put_known(out, "connections_open_max", h.connections_open_max);
  out["requests_begun_in_window"] = h.begun_in_window;
  out["connections_opened_in_window"] = h.opened_in_window;
  put_known(out, "limit_errors", h.limit_errors);
  put_known(out, "files_limit", h.files_limit);
  put(out, "clock_move_max_ms", h.clock_move_max_ms);
  put(out, "clock_error_max_ms", h.clock_error_max_ms);
  if (h.workers > 0) out["realtime"] = h.realtime;
  put_known(out, "nice", h.nice);
  out["limits_broken"] = broken_limits(h);
  return out;
}

// Nothing of it: the engine was not asked, or showed nothing.
Json engine(const judge::EngineSide& e) {
  Json out = Json::object();
  put(out, "prompt_tokens", e.prompt_tokens);
  put(out, "generation_tokens", e.generation_tokens);
  put(out, "output_difference", e.output_difference());
  put(out, "prompt_difference", e.prompt_difference());
  put(out, "requests_finished", e.requests_finished);
  put(out, "requests_refused", e.requests_refused);
  put(out, "preemptions", e.preemptions);
  put(out, "cache_hit_rate", e.cache_hit_rate);
  put(out, "running_max", e.running_max);
  put(out, "waiting_max", e.waiting_max);
  put(out, "kv_cache_usage_max", e.kv_cache_usage_max);
  put(out, "queue_time_mean_ms", e.queue_time_mean_ms);
  put(out, "ttft_mean_ms", e.ttft_mean_ms);
  if (out.empty()) return out;
  out["looks"] = e.looks;
  out["client_prompt_tokens"] = e.client_prompt_tokens;
  out["client_output_tokens"] = e.client_output_tokens;
  out["client_uncounted"] = e.client_uncounted;
  return out;
}

Json requests(const JudgedStep& step) {
  Json endings = Json::object();
  for (int i = 0; i < kEndingCount; ++i) {
    const auto ending = static_cast<Ending>(i);
    endings[std::string(name_of(ending))] = step.endings[static_cast<std::size_t>(i)];
  }
  return {{"planned", step.planned}, {"sent", step.sent},       {"good", step.good},
          {"failed", step.failed},   {"retries", step.retries}, {"endings", std::move(endings)}};
}

Json output_tokens(const JudgedStep& step) {
  Json out = {{"total", step.output_tokens}};
  put(out, "per_s", step.output_tokens_per_s);
  put(out, "per_s_completed", step.output_tokens_per_s_completed);
  out["reasoning"] = step.reasoning_tokens;
  put(out, "share_of_asked", step.achieved_output_share);
  out["source"] = step.token_sources;
  return out;
}

Json input_tokens(const JudgedStep& step) {
  Json out = {{"total", step.input_tokens}, {"asked", step.input_asked}};
  put(out, "per_s", step.input_tokens_per_s);
  put(out, "cached_share", step.cached_input_share);
  return out;
}

Json failures(const JudgedStep& step) {
  Json out = Json::array();
  for (const judge::FailureClass& failure : step.failures) {
    Json one = {
        {"ending", name_of(failure.ending)}, {"detail", failure.detail}, {"count", failure.count}};
    put(one, "first_seen_s", failure.first_seen_s);
    out.push_back(std::move(one));
  }
  return out;
}

Json step_of(const JudgedStep& step, StampChoice stamp) {
  Json out = {
      {"kind", step.kind}, {"block", step.block}, {"visit", step.visit}, {"ordinal", step.ordinal}};
  put(out, "planned_rate", step.planned_rate);
  put(out, "sent_rate", step.sent_rate);
  put(out, "completed_rate", step.completed_rate);
  if (step.concurrency) out["concurrency"] = *step.concurrency;
  if (!step.arrivals.empty()) out["arrivals"] = step.arrivals;
  put(out, "window_s", step.window_s);
  put(out, "begin_s", step.begin_s);
  out["requests"] = requests(step);
  for (const Figure& one : kFigures) {
    out[std::string(one.key)] = distribution(step.*one.of);
  }
  out["output_tokens"] = output_tokens(step);
  out["input_tokens"] = input_tokens(step);
  put(out, "tokens_per_event", step.tokens_per_event);
  put(out, "merged_read_share", step.merged_read_share);
  out["lateness_ms"] = {{"count", step.lateness.count},
                        {"p50", figure(step.lateness.p50)},
                        {"p99", figure(step.lateness.p99)},
                        {"max", figure(step.lateness.max)}};
  out["connections"] = {{"opened", step.connections_opened}, {"reopened", step.reopened}};
  out["client"] = client(step, stamp);
  if (Json counted = engine(step.engine); !counted.empty()) out["engine"] = std::move(counted);
  out["label"] = judge::name_of(step.label);
  out["reasons"] = step.reasons;
  out["failures"] = failures(step);
  return out;
}

Json manifest(const std::vector<judge::ManifestEntry>& entries) {
  Json out = Json::array();
  for (const judge::ManifestEntry& entry : entries) {
    out.push_back({{"key", entry.key}, {"value", entry.value}, {"source", entry.source}});
  }
  return out;
}

Json comparability_of(const judge::JudgedRun& run) {
  Json findings = Json::array();
  for (const audit::Finding& finding : run.audit.findings) {
    findings.push_back(
        {{"severity", severity_of(finding)}, {"term", finding.key}, {"text", finding.text}});
  }
  Json terms = Json::array();
  for (const audit::Line& line : run.audit.lines) {
    Json values = Json::array();
    for (const audit::Stated& value : line.values) {
      values.push_back({{"requested", value.requested},
                        {"effective", value.effective},
                        {"source", value.source}});
    }
    terms.push_back({{"term", line.key},
                     {"outcome", audit::name_of(line.outcome)},
                     {"systems", std::move(values)}});
  }
  Json out = Json::object();
  if (run.audit.label) out["label"] = audit::name_of(*run.audit.label);
  out["findings"] = std::move(findings);
  out["terms"] = std::move(terms);
  return out;
}

Json gpu_memory(const JudgedSystem& system) {
  Json out = Json::array();
  for (const judge::JudgedGpu& gpu : system.gpus) {
    Json one = {{"visit", gpu.visit}, {"block", gpu.block}, {"gpu", gpu.gpu},
                {"name", gpu.name},   {"uuid", gpu.uuid},   {"source", gpu.source}};
    put_known(one, "total_bytes", gpu.total_bytes);
    put_known(one, "idle_bytes", gpu.idle_bytes);
    put_known(one, "ready_bytes", gpu.ready_bytes);
    put_known(one, "peak_bytes", gpu.peak_bytes);
    put_known(one, "engine_peak_bytes", gpu.engine_peak_bytes);
    put_known(one, "after_bytes", gpu.after_bytes);
    one["facts"] = Json::object();
    for (const auto& [key, value] : gpu.facts) one["facts"][key] = value;
    out.push_back(std::move(one));
  }
  return out;
}

Json system_of(const JudgedSystem& system, StampChoice stamp) {
  Json out = {{"name", system.name}, {"engine", system.engine}};
  if (!system.engine_version.empty()) out["engine_version"] = system.engine_version;
  out["simulated"] = system.simulated;
  if (!system.url.empty()) out["url"] = system.url;
  out["commands"] = system.commands;
  Json ready = Json::array();
  for (const double seconds : system.ready_s) ready.push_back(figure(seconds));
  out["ready_s"] = std::move(ready);
  out["manifest"] = manifest(system.manifest);
  if (!system.gpus.empty()) out["gpu_memory"] = gpu_memory(system);
  out["steps"] = Json::array();
  for (const JudgedStep& step : system.steps) out["steps"].push_back(step_of(step, stamp));
  return out;
}

}  // namespace

Json summary_of(const judge::JudgedRun& run) {
  Json out = {{"schema", 1}, {"tool", {{"version", run.tool_version}}}};
  Json about = {{"title", run.title},
                {"spec_sha256", run.spec_sha256},
                {"seed", run.seed},
                {"started", run.started},
                {"complete", run.complete}};
  if (!run.reason.empty()) about["reason"] = run.reason;
  about["stamp"] = {{"asked", name_of(run.stamp.asked)},
                    {"used", name_of(run.stamp.used)},
                    {"why", run.stamp.why}};
  out["run"] = std::move(about);
  out["host"] = manifest(run.host);
  out["comparability"] = comparability_of(run);
  out["findings"] = Json::array();
  for (const judge::Finding& finding : run.findings) {
    out["findings"].push_back({{"severity", finding.severity},
                               {"code", finding.code},
                               {"scope", finding.scope},
                               {"where", finding.where},
                               {"text", finding.text}});
  }
  out["systems"] = Json::array();
  for (const JudgedSystem& system : run.systems)
    out["systems"].push_back(system_of(system, run.stamp.used));
  return out;
}

std::string text_of(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string summary_json(const judge::JudgedRun& run) {
  return text_of(summary_of(run), 2) + "\n";
}

}  // namespace evenbench::report
