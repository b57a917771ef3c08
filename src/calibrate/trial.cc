#include "calibrate/trial.h"

#include <fmt/format.h>

#include <fstream>
#include <memory>
#include <vector>

#include "calibrate/null_server.h"
#include "load/step.h"
#include "net/http_transport.h"
#include "record/reader.h"
#include "record/writer.h"

namespace evenbench::calibrate {
namespace {

constexpr std::int64_t kStep = 1;
constexpr std::uint64_t kSeed = 1;
constexpr double kPromptTokens = 64;

struct Workers {
  std::vector<std::unique_ptr<wire::Transport>> transports;
  std::vector<load::WorkerPort> ports;
};

Result<Workers> make_workers(const TrialPlan& plan, const wire::Endpoint& endpoint,
                             record::Writer& writer, const TrialPlace& place) {
  net::TransportOptions options;
  options.endpoint = endpoint;
  options.preopen = plan.connections;
  auto transports = net::make_http_transports(options, place.workers, *place.clock);
  if (!transports) return transports.error();
  Workers out{std::move(*transports), {}};
  for (std::uint32_t i = 0; i < place.workers; ++i) {
    out.ports.push_back({out.transports[i].get(), &writer.lane(i)});
  }
  return out;
}

workload::Workload workload_of(const TrialPlan& plan) {
  workload::WorkloadSpec spec;
  spec.input.fixed = kPromptTokens;
  spec.output.fixed = plan.output_tokens;
  return {spec, kSeed};
}

load::Serialise serialiser(const wire::Endpoint& endpoint, const workload::Workload& workload) {
  return [&endpoint, &workload](std::uint32_t index, const workload::Item& item) {
    wire::RequestShape shape;
    shape.model = "null";
    const wire::Headers headers = {
        {std::string(wire::kRequestNameHeader), wire::request_name(kStep, index)}};
    return wire::http_request("POST", endpoint, endpoint.path("chat/completions"), headers,
                              wire::request_body(shape, workload.prompt(item), item.output_tokens));
  };
}

void put_step(const load::StepPlan& plan, record::Writer& writer) {
  writer.put(record::SystemRow{.id = 1, .name = "null", .engine = "openai", .url = ""});
  record::VisitRow visit;
  visit.id = visit.system_id = 1;
  writer.put(visit);
  record::StepRow step;
  step.id = kStep;
  step.visit_id = 1;
  step.ordinal = 1;
  step.kind = std::string(load::name_of(plan.spec.kind));
  writer.put(step);
}

// Runs the step into the run file; gives its measuring window.
Result<Window> run_load(const TrialPlan& trial, const wire::Endpoint& endpoint,
                        const std::filesystem::path& file, const TrialPlace& place) {
  const workload::Workload workload = workload_of(trial);
  const auto plan = load::plan_step(trial.step, workload, kSeed, 1, 0);
  if (!plan) return plan.error();
  record::RunRow run;
  run.title = "calibration";
  run.anchor = place.clock->now();
  run.started = place.clock->wall();
  run.host_json = "{}";
  auto writer = record::Writer::create(file, run, place.workers);
  if (!writer) return writer.error();
  put_step(*plan, **writer);
  auto workers = make_workers(trial, endpoint, **writer, place);
  if (!workers) return workers.error();
  load::StepJob job;
  job.plan = &*plan;
  job.step_id = kStep;
  job.serialise = serialiser(endpoint, workload);
  job.workload = &workload;
  job.workers = workers->ports;
  load::StepControl control;
  const load::StepResult result = load::run_step(job, *place.clock, control);
  if (auto finished = (*writer)->finish(true, ""); !finished) return finished.error();
  return Window{result.window_begin, result.window_end};
}

Result<Seen> compare(const std::filesystem::path& file, ServerLog log, const Window& window) {
  auto reader = record::Reader::open(file);
  if (!reader) return reader.error();
  Tally tally(std::move(log), kStep, window);
  const auto read = (*reader)->for_each_request(
      kStep, [&tally](const record::RequestRow& row) { tally.add(row); });
  if (!read) return read.error();
  return tally.seen();
}

Result<Seen> run_in(const TrialPlan& plan, const TrialPlace& place) {
  auto server = NullServer::start(plan.server, place.folder / "null-server", *place.clock);
  if (!server) return server.error();
  const auto endpoint = wire::parse_endpoint(server->url());
  if (!endpoint) return endpoint.error();
  const std::filesystem::path file = place.folder / "run.sqlite";
  const auto window = run_load(plan, *endpoint, file, place);
  server->stop();
  if (!window) return window.error();
  std::ifstream lines(server->log());
  auto log = read_server_log(lines);
  if (!log) return log.error();
  return compare(file, std::move(*log), *window);
}

}  // namespace

Result<Seen> run_trial(const TrialPlan& plan, const TrialPlace& place) {
  std::error_code failed;
  std::filesystem::create_directories(place.folder, failed);
  if (failed) {
    return environment_error(fmt::format("{} cannot be made: {}; set TMPDIR to a folder that can",
                                         place.folder.string(), failed.message()));
  }
  auto seen = run_in(plan, place);
  std::filesystem::remove_all(place.folder, failed);
  return seen;
}

}  // namespace evenbench::calibrate
