#include "cli/visit_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "cli/key_loss.h"
#include "cli/signals.h"
#include "cli/step_monitor.h"
#include "cli/visit_metrics.h"
#include "engine/signatures.h"
#include "engine/step_rules.h"
#include "probe/limits.h"

namespace evenbench::cli {
namespace {

constexpr std::uint64_t kFilesBesideStreams = 64;  // logs, run file, engines, libraries

// How long a server may keep every stream of an open loop waiting before files run out.
constexpr double kBacklogSeconds = 10;

// Open files for the load: as many as the whole plan could need if the server never answered, if
// they can be had; enough for a backlog of some seconds otherwise, and not less.
Result<void> ensure_files(const load::StepPlan& plan) {
  const load::StepSpec& spec = plan.spec;
  if (spec.kind == load::StepKind::kClosed || spec.max_in_flight > 0) {
    const auto streams = spec.kind == load::StepKind::kClosed
                             ? std::uint64_t{spec.concurrency}
                             : std::min<std::uint64_t>(spec.max_in_flight, plan.requests.size());
    const auto files = probe::ensure_open_files(streams + kFilesBesideStreams);
    return files ? Result<void>() : files.error();
  }
  if (probe::ensure_open_files(plan.requests.size() + kFilesBesideStreams)) return {};
  const auto backlog = static_cast<std::uint64_t>(spec.rate.per_second() * kBacklogSeconds);
  const auto files = probe::ensure_open_files(
      std::min<std::uint64_t>(backlog, plan.requests.size()) + kFilesBesideStreams);
  return files ? Result<void>() : files.error();
}

// Connections opened before the clock starts. An open loop's streams are not known ahead: a
// second's requests, within bounds, take the burst of connects out of its begin.
std::uint32_t streams_ahead(const load::StepPlan& plan) {
  constexpr double kMostAhead = 128;
  if (plan.spec.kind == load::StepKind::kClosed) return plan.spec.concurrency;
  const double streams = std::min(plan.spec.rate.per_second(), kMostAhead);
  const auto requests = static_cast<std::uint32_t>(plan.requests.size());
  const std::uint32_t cap = plan.spec.max_in_flight > 0 ? plan.spec.max_in_flight : requests;
  return std::min({static_cast<std::uint32_t>(std::ceil(streams)), requests, cap});
}

struct Workers {
  std::vector<std::unique_ptr<wire::Transport>> transports;
  std::vector<load::WorkerPort> ports;
};

Result<Workers> make_workers(const VisitContext& context, const ReadySystem& system,
                             const load::StepPlan& plan) {
  net::TransportOptions options = system.attachment.transport;
  options.preopen = streams_ahead(plan);
  auto transports = net::make_http_transports(options, context.workers, *context.clock);
  if (!transports) return transports.error();
  Workers out{std::move(*transports), {}};
  for (std::uint32_t i = 0; i < context.workers; ++i) {
    out.ports.push_back({out.transports[i].get(), &context.writer->lane(i)});
  }
  return out;
}

std::string options_json(const Spec& spec, const wire::RequestShape& shape) {
  nlohmann::json out;
  out["optional_fields"] = wire::optional_fields(shape);
  out["output_field"] = shape.output_field;
  out["temperature"] =
      shape.temperature ? nlohmann::json(*shape.temperature) : nlohmann::json("server default");
  out["input_length"] = workload::to_string(spec.workload.input);
  out["output_length"] = workload::to_string(spec.workload.output);
  return out.dump();
}

record::StepRow row_of(const VisitContext& context, const ReadySystem& system,
                       const load::StepPlan& plan, int ordinal, std::int64_t id) {
  record::StepRow row;
  row.id = id;
  row.visit_id = context.visit_id;
  row.ordinal = ordinal;
  row.kind = std::string(load::name_of(plan.spec.kind));
  if (plan.spec.kind == load::StepKind::kLadder) {
    row.planned_rate = plan.spec.rate.per_second();
    row.arrivals = arrivals::to_string(plan.spec.arrivals);
  } else {
    row.concurrency = plan.spec.concurrency;
  }
  row.planned = plan.cohort;
  row.max_in_flight = plan.spec.max_in_flight;
  row.options_json = options_json(*context.spec, system.shape);
  return row;
}

// Each request carries its name in the run file, so that a server's or a gateway's own log can be
// joined with it.
load::Serialise serialiser(const VisitContext& context, const ReadySystem& system,
                           std::int64_t step_id) {
  return [&context, &system, step_id](std::uint32_t index, const workload::Item& item) {
    const std::string body =
        wire::request_body(system.shape, context.workload->prompt(item), item.output_tokens);
    const char* route = system.shape.api == wire::Api::kChat ? "chat/completions" : "completions";
    wire::Headers headers = system.attachment.headers;
    headers.emplace_back(wire::kRequestNameHeader, wire::request_name(step_id, index));
    return wire::http_request("POST", system.attachment.endpoint,
                              system.attachment.endpoint.path(route), headers, body);
  };
}

void put_health(const VisitContext& context, const load::StepResult& result) {
  bool refused = false;
  for (const record::WorkerHealthRow& health : result.health) {
    context.writer->put(health);
    refused = refused || (context.spec->client.realtime && !health.realtime);
  }
  if (!refused) return;  // said in every step, told once: of the run
  context.writer->put(record::FindingRow{
      "run", 0, "warning", "realtime_refused",
      "real-time priority (SCHED_FIFO) was asked for and refused by this machine: run as root, or "
      "grant it with 'ulimit -r 1' or CAP_SYS_NICE"});
}

void fill(record::StepRow& row, const load::StepResult& result) {
  row.begin = result.begin;
  row.window_begin = result.window_begin;
  row.window_end = result.window_end;
  row.end = result.end;
}

// What failed, with its remedy; a key that is lost has a finding of its own.
void put_failures(const VisitContext& context, const ReadySystem& system,
                  const load::StepControl& control, std::int64_t step_id) {
  auto failures = control.failures.failures();
  if (control.failures.key_lost()) {
    std::erase_if(failures, [](const wire::FailureCount& one) {
      return one.error && wire::ends_credentials(*one.error);
    });
  }
  for (const auto& found : engine::explain_failures(system.spec->engine, failures, control.good)) {
    context.writer->put(
        record::FindingRow{"step", step_id, found.severity, found.code, found.text});
  }
}

// What the step's own requests said of the key: an error, and a finding at the step.
Result<void> key_verdict(const VisitContext& context, const ReadySystem& system,
                         const load::FailureWatch& failures, const record::StepRow& step,
                         const std::string& name) {
  const auto lost = failures.key_lost();
  if (!lost) return {};
  const WallTime first = context.clock->wall() - (context.clock->now() - lost->first);
  const KeyLoss said = key_loss_of(*lost, step.begin, first, system.attachment.key_env);
  context.writer->put(record::FindingRow{"step", step.id, "error", said.code, said.text});
  return environment_error(name + ": " + said.text);
}

// Why a step that has ended must also end its visit.
Result<void> verdict(const VisitContext& context, const StepMonitor& monitor,
                     const ReadySystem& system, const std::string& name) {
  if (const auto failure = context.writer->failure()) return *failure;
  if (interrupts() > 0) return Error{ErrorCode::kInterrupted, "interrupted"};
  if (monitor.engine_ended()) {
    const engine::ExitStatus& ended = *monitor.engine_ended();
    return environment_error(fmt::format(
        "{} ended under load ({}){}. The end of its log, {}:\n{}", name, ended.text(),
        engine::explained(system.spec->engine, engine::log_end(system.log), was_killed(ended)),
        system.log.string(), engine::log_tail(system.log, 20)));
  }
  return {};
}

Result<void> run_one(const VisitContext& context, const ReadySystem& system,
                     const load::StepPlan& plan, int ordinal, VisitMetrics& metrics) {
  if (auto files = ensure_files(plan); !files) return files;
  record::StepRow row = row_of(context, system, plan, ordinal, (*context.next_step_id)++);
  metrics.begin_step(row.id);
  auto workers = make_workers(context, system, plan);
  if (!workers) return workers.error();
  const std::string& name = system.spec->name;
  const std::string what = fmt::format("{}, {}", name, describe(plan.spec));
  context.progress->line(what);

  load::StepControl control;
  StepMonitor monitor(
      {&control, system.child, context.writer, context.progress, context.clock, what});
  load::StepJob job;
  job.plan = &plan;
  job.step_id = row.id;
  job.workers = workers->ports;
  job.workload = context.workload;
  job.secrets = system.attachment.secrets;
  job.seats = {.realtime = context.spec->client.realtime, .cpus = context.spec->client.cpus};
  job.serialise = serialiser(context, system, row.id);
  job.on_started = [&](const load::StepResult& started) {
    fill(row, started);
    context.writer->put(row);
  };
  const load::StepResult result = load::run_step(job, *context.clock, control);
  monitor.stop();
  metrics.end_step();
  fill(row, result);
  Result<void> outcome = verdict(context, monitor, system, name);
  if (outcome) outcome = key_verdict(context, system, control.failures, row, name);
  row.finished = result.finished && outcome.has_value();
  if (!outcome) row.note = outcome.error().message.substr(0, outcome.error().message.find('\n'));
  put_health(context, result);
  put_failures(context, system, control, row.id);
  context.writer->put(row);
  context.progress->line(fmt::format("  {}: sent {}, good {}, failed {}", what, control.sent.load(),
                                     control.good.load(), control.failed.load()));
  return outcome;
}

void rest(const VisitContext& context) {
  const MonoTime until = context.clock->now() + context.spec->settle;
  while (context.clock->now() < until && interrupts() == 0) {
    std::this_thread::sleep_for(  // lint-ok(real-time): the rest between steps that the spec asks
                                  // for
        std::chrono::milliseconds{20});
  }
}

}  // namespace

Result<void> run_steps(const VisitContext& context, const PlannedVisit& visit,
                       const ReadySystem& system) {
  VisitMetrics metrics(context, *system.spec, system.attachment);
  int ordinal = 1;
  for (const load::StepPlan& plan : context.plan->plans[visit.block - 1]) {
    if (ordinal > 1) rest(context);
    if (interrupts() > 0) return Error{ErrorCode::kInterrupted, "interrupted between two steps"};
    if (auto done = run_one(context, system, plan, ordinal++, metrics); !done) return done;
  }
  return {};
}

}  // namespace evenbench::cli
