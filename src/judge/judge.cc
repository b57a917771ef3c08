#include "judge/judge.h"

#include <fmt/format.h>

#include <algorithm>

#include "audit/from_rows.h"
#include "judge/engine_tally.h"
#include "judge/findings.h"
#include "judge/headline_stamp.h"
#include "judge/manifest.h"
#include "judge/step_span.h"
#include "judge/step_tally.h"
#include "judge/verdict.h"

namespace evenbench::judge {
namespace {

std::vector<record::WorkerHealthRow> workers_of(const record::Reader& run, std::int64_t step_id) {
  std::vector<record::WorkerHealthRow> out;
  std::copy_if(run.health().begin(), run.health().end(), std::back_inserter(out),
               [&](const auto& row) { return row.step_id == step_id; });
  return out;
}

Result<StepSpan> find_span(const record::Reader& run, const record::StepRow& row,
                           Instants instants) {
  SeenInstants seen(instants);
  if (!span_is_recorded(row)) {
    const auto read =
        run.for_each_request(row.id, [&](const record::RequestRow& r) { seen.add(r); });
    if (!read) return read.error();
  }
  return span_of(row, seen);
}

void add_engine(JudgedStep& step, const EngineTally& engine) {
  step.engine = engine.side();
  step.series.running = engine.series(EngineMetric::kRequestsRunning);
  step.series.waiting = engine.series(EngineMetric::kRequestsWaiting);
  step.series.kv_cache_usage = engine.series(EngineMetric::kKvCacheUsage);
}

Result<JudgedStep> judge_step(const record::Reader& run, const record::StepRow& row,
                              const record::VisitRow& visit, Instants instants) {
  const auto span = find_span(run, row, instants);
  if (!span) return span.error();
  StepTally tally(row, *span, instants);
  EngineTally engine(*span);
  const auto read = run.for_each_request(row.id, [&](const record::RequestRow& r) {
    tally.add(r);
    engine.add(r);
  });
  if (!read) return read.error();
  const auto seen = run.for_each_engine_sample(
      row.id, [&](const record::EngineSampleRow& sample) { engine.add(sample); });
  if (!seen) return seen.error();
  tally.finish();
  JudgedStep& step = tally.step;
  add_engine(step, engine);
  step.block = visit.block;
  step.visit = visit_number(run, visit);
  if (observed(span->begin) && observed(run.run().anchor)) {
    step.begin_s = to_seconds(span->begin - run.run().anchor);
  }
  add_workers(step.client, workers_of(run, row.id));
  label_step(step, tally.facts);
  return std::move(step);
}

void add_visit(const record::Reader& run, const record::VisitRow& visit, JudgedSystem& system) {
  if (system.engine_version.empty()) system.engine_version = visit.engine_version;
  system.commands.push_back(visit.command);
  if (observed(visit.started) && observed(visit.ready)) {
    system.ready_s.push_back(to_seconds(visit.ready - visit.started));
  }
  const auto entries = manifest_from(visit.manifest_json);
  const int number = visit_number(run, visit);
  if (number == 1) {
    system.manifest = entries;
  } else {
    add_differences(system.manifest, entries, number);
  }
}

Result<JudgedSystem> judge_system(const record::Reader& run, const record::SystemRow& row,
                                  Instants instants) {
  JudgedSystem system;
  system.name = row.name;
  system.engine = row.engine;
  system.url = row.url;
  system.simulated = row.simulated;
  for (const record::VisitRow& visit : run.visits()) {
    if (visit.system_id != row.id) continue;
    add_visit(run, visit, system);
    auto gpus = gpus_of(run, visit);
    if (!gpus) return gpus.error().in(place_of(run, "visit", visit.id));
    system.gpus.insert(system.gpus.end(), gpus->begin(), gpus->end());
    for (const record::StepRow& step : run.steps()) {
      if (step.visit_id != visit.id) continue;
      auto judged = judge_step(run, step, visit, instants);
      if (!judged) return judged.error().in(place_of(run, "step", step.id));
      system.steps.push_back(std::move(*judged));
    }
  }
  return system;
}

}  // namespace

Result<JudgedRun> judge(const record::Reader& run) {
  const record::RunRow& row = run.run();
  JudgedRun out;
  out.title = row.title;
  out.tool_version = row.tool_version;
  out.spec_sha256 = row.spec_sha256;
  out.spec_yaml = row.spec_yaml;
  out.started = iso8601(row.started);
  out.seed = row.seed;
  out.complete = run.complete();
  if (!out.complete) {
    out.reason = run.reason().empty() ? "the program ended before the run did" : run.reason();
  }
  out.host = manifest_from(row.host_json);
  auto stamp = headline_stamp(run);
  if (!stamp) return stamp.error();
  out.stamp = *std::move(stamp);
  for (const record::SystemRow& system : run.systems()) {
    auto judged = judge_system(run, system, Instants(out.stamp));
    if (!judged) return judged.error();
    out.systems.push_back(std::move(*judged));
  }
  // A file of an older version holds no setting: silence is no reservation.
  if (!run.settings().empty()) {
    out.audit = audit::audit(audit::facts_of(
        {run.systems(), run.visits(), run.settings(), run.gpus(), run.agreement()}));
  }
  out.findings = findings_of(run, out.systems, out.stamp);
  return out;
}

}  // namespace evenbench::judge
