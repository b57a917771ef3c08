#include "cli/visit.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/even_terms.h"
#include "cli/image_digest.h"
#include "cli/launch.h"
#include "cli/model_terms.h"
#include "cli/plan_limits.h"
#include "cli/ready_system.h"
#include "cli/signals.h"
#include "cli/stop.h"
#include "cli/system_row.h"
#include "cli/visit_agreement.h"
#include "cli/visit_build.h"
#include "cli/visit_gpu.h"
#include "cli/visit_settings.h"
#include "cli/visit_steps.h"
#include "engine/adapter.h"
#include "engine/readiness.h"

namespace evenbench::cli {
namespace {

using engine::ChildProcess;

std::string manifest(const VisitContext& context, const SystemSpec& system,
                     const engine::Ready& ready, const Remote& remote, const VisitBuild& build) {
  nlohmann::json out = nlohmann::json::object();
  const auto put = [&](const std::string& key, const std::string& value,
                       const std::string& source) {
    if (!value.empty()) out[key] = {{"value", value}, {"source", source}};
  };
  put("model", ready.shape.model, "model list and spec");
  put("engine_version", ready.engine_version.empty() ? "unknown" : ready.engine_version,
      "version route");
  if (!system.docker.empty()) {
    put("image", system.docker, "spec");
    put("image_digest", image_digest(system.docker, *context.clock), "docker image inspect");
  }
  for (const auto& fact : build.facts) put(fact.key, fact.value, fact.source);
  put("dtype_requested", context.spec->model.dtype, "spec");
  put("quantization_requested", context.spec->model.quantization, "spec");
  put("request_fields", fmt::format("{}", fmt::join(wire::optional_fields(ready.shape), ", ")),
      "what every request carries beyond model, prompt, stream and length");
  put("tls", context.spec->tls.verify ? "" : "certificate not verified", "spec");
  put("remote", remote.remote ? "yes" : "no", remote.why);
  put("probe_requests", std::to_string(ready.probe_requests), "readiness");
  for (const auto& fact : context.models->of(*context.spec, system).facts) {
    put(fact.key, fact.value, fact.source);
  }
  return out.dump();
}

// Starts the engine unless the system is attached: then the pointer is null.
Result<std::unique_ptr<ChildProcess>> start(const VisitContext& context, const SystemSpec& system,
                                            const VisitBuild& build, record::VisitRow& row,
                                            std::filesystem::path& log) {
  if (!system.launched) return std::unique_ptr<ChildProcess>();
  if (auto free = engine::check_port_free(system.host, system.port); !free) {
    return free.error().in(system.name);
  }
  auto command = launch_of(*context.spec, system, run_name(context), build.engine);
  if (!command) return command.error();
  command->log =
      context.folder / "logs" / fmt::format("visit-{:02}-{}.log", context.visit_id, system.engine);
  row.command = shown(command->argv);
  log = command->log;
  context.progress->line(fmt::format("starting {}: {}", system.name, row.command));
  return ChildProcess::start(*command);
}

// One that speaks as a real engine and is none must never pass for it.
void say_if_simulated(const VisitContext& context, const PlannedVisit& visit,
                      const SystemSpec& system, const engine::Ready& ready) {
  if (system.engine == "sim" || !says_simulated(ready.models_body)) return;
  record::SystemRow simulated = system_row(system, visit.system);
  simulated.simulated = true;
  context.terms->put(simulated);
  context.progress->warning(
      fmt::format("{} is a simulated engine and is labelled so", system.name));
}

void put_notes(const VisitContext& context, const SystemSpec& system,
               const engine::Adapter& adapter, const engine::Ready& ready) {
  const auto put = [&](const char* code, const std::string& text) {
    context.writer->put(record::FindingRow{"visit", context.visit_id, "warning", code, text});
  };
  for (const std::string& note : ready.notes) {
    context.progress->warning(fmt::format("{}: {}", system.name, note));
    put("readiness_note", note);
  }
  for (const std::string& text :
       engine::fields_without_effect(adapter, wire::optional_fields(ready.shape))) {
    put("field_without_effect", text);
  }
}

// TCP's own: with TLS more would be in it.
std::optional<Nanos> round_trip_of(const Exchanged& probe, const wire::Endpoint& endpoint) {
  if (endpoint.tls || !observed(probe.connect_started) || !observed(probe.connected)) {
    return std::nullopt;
  }
  return probe.connected - probe.connect_started;
}

// What is known of the terms before the load, put and told.
Result<void> settle_terms(const VisitContext& context, const AskedSystem& asked) {
  put_settings(context, asked);
  put_limits(context, *asked.spec, round_trip_of(asked.ready->probe, asked.attachment->endpoint));
  if (auto answers = put_agreement(context, *asked.attachment, asked.ready->shape); !answers) {
    return answers;
  }
  for (const audit::Finding& finding : context.terms->news()) {
    context.progress->warning(finding.text);
  }
  return context.spec->strict ? context.terms->refuse_uneven() : Result<void>();
}

Result<void> ready_and_run(const VisitContext& context, const PlannedVisit& visit,
                           const SystemSpec& system, const engine::Adapter& adapter,
                           record::VisitRow& row, std::unique_ptr<ChildProcess>& child) {
  auto attachment = attachment_of(*context.spec, system, *context.credentials);
  if (!attachment) return attachment.error();
  const auto build = build_before(context, system);
  if (!build) return without_secrets(build.error(), attachment->secrets);
  const bool here = attachment->remote.here;
  if (here) {
    say_if_tainted(context);
    context.gpus->before_start(context.visit_id, system.launched);
  }
  std::filesystem::path log;
  auto started = start(context, system, *build, row, log);
  if (!started) return started.error();
  child = std::move(*started);
  auto ready = ask_until_ready({context.spec, &system, &adapter, &*attachment, context.progress,
                                context.clock, child.get(), log});
  if (!ready) return without_secrets(ready.error(), attachment->secrets);
  say_if_simulated(context, visit, system, *ready);
  row.ready = context.clock->now();
  row.engine_version = ready->engine_version;
  row.manifest_json = manifest(context, system, *ready, attachment->remote, *build);
  context.terms->put(row);
  if (here) context.gpus->ready();
  context.progress->line(fmt::format("{} is ready ({})", system.name, attachment->proxy_note));
  put_notes(context, system, adapter, *ready);
  Result<void> outcome =
      settle_terms(context, {&system, &adapter, &*attachment, &*ready, log, &*build});
  if (outcome) {
    outcome = run_steps(context, visit, {*attachment, ready->shape, child.get(), log, &system});
  }
  if (!outcome) return without_secrets(outcome.error(), attachment->secrets);
  return outcome;
}

}  // namespace

std::string run_name(const VisitContext& context) {
  return fmt::format("{}-{}", context.folder.filename().string(), context.visit_id);
}

Result<void> run_visit(const VisitContext& context, const PlannedVisit& visit) {
  const SystemSpec& system = context.spec->systems[visit.system];
  const auto adapter = engine::adapter_named(system.engine);
  if (!adapter) return adapter.error();
  record::VisitRow row;
  row.id = context.visit_id;
  row.system_id = static_cast<std::int64_t>(visit.system) + 1;
  row.block = static_cast<int>(visit.block);
  row.started = context.clock->now();
  context.terms->put(row);
  std::unique_ptr<ChildProcess> child;
  Result<void> outcome = ready_and_run(context, visit, system, **adapter, row, child);
  context.gpus->load_over();
  if (child) {
    const auto stopped = stop_and_pass_gate(context, system, *child);
    if (outcome) outcome = stopped;
    child.reset();
  }
  row.stopped = context.clock->now();
  if (!outcome) row.note = outcome.error().message;
  context.terms->put(row);
  return outcome;
}

}  // namespace evenbench::cli
