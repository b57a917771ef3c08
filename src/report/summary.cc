#include "report/summary.h"

#include <cmath>

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

Json step_of(const JudgedStep& step) {
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

Json system_of(const JudgedSystem& system) {
  Json out = {{"name", system.name}, {"engine", system.engine}};
  if (!system.engine_version.empty()) out["engine_version"] = system.engine_version;
  out["simulated"] = system.simulated;
  if (!system.url.empty()) out["url"] = system.url;
  out["commands"] = system.commands;
  Json ready = Json::array();
  for (const double seconds : system.ready_s) ready.push_back(figure(seconds));
  out["ready_s"] = std::move(ready);
  out["manifest"] = manifest(system.manifest);
  out["steps"] = Json::array();
  for (const JudgedStep& step : system.steps) out["steps"].push_back(step_of(step));
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
  out["run"] = std::move(about);
  out["host"] = manifest(run.host);
  out["findings"] = Json::array();
  for (const judge::Finding& finding : run.findings) {
    out["findings"].push_back({{"severity", finding.severity},
                               {"code", finding.code},
                               {"scope", finding.scope},
                               {"where", finding.where},
                               {"text", finding.text}});
  }
  out["systems"] = Json::array();
  for (const JudgedSystem& system : run.systems) out["systems"].push_back(system_of(system));
  return out;
}

std::string text_of(const Json& value, int indent) {
  return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

std::string summary_json(const judge::JudgedRun& run) {
  return text_of(summary_of(run), 2) + "\n";
}

}  // namespace evenbench::report
