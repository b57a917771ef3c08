#include "cli/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>

#include "cli/capacity.h"
#include "cli/even_terms.h"
#include "cli/exit_code.h"
#include "cli/model_terms.h"
#include "cli/preflight.h"
#include "cli/print.h"
#include "cli/remote.h"
#include "cli/run_plan.h"
#include "cli/signals.h"
#include "cli/spec_print.h"
#include "cli/stop.h"
#include "cli/system_row.h"
#include "cli/version.h"
#include "cli/visit.h"
#include "cli/visit_gpu.h"
#include "judge/judge.h"
#include "net/here.h"
#include "probe/host.h"
#include "probe/limits.h"
#include "probe/sha256.h"
#include "record/reader.h"
#include "record/run_folder.h"
#include "report/report.h"

#include <nlohmann/json.hpp>

namespace evenbench::cli {
namespace {

void say(const Error& error) {
  print_err(fmt::format("evenbench: {}\n", error.message));
}

Result<std::filesystem::path> make_folder(const Spec& spec, const RunOptions& options,
                                          const Clock& clock) {
  if (options.out.empty()) return record::make_run_folder("runs", clock.wall(), spec.title);
  std::error_code failed;
  if (std::filesystem::exists(options.out, failed) &&
      !std::filesystem::is_empty(options.out, failed)) {
    return usage_error(fmt::format(
        "{} already holds {}; give another --out, nothing is ever overwritten",
        options.out.string(),
        std::filesystem::exists(options.out / "run.sqlite", failed) ? "a run" : "files"));
  }
  std::filesystem::create_directories(options.out / "logs", failed);
  if (failed) {
    return environment_error(fmt::format("{} cannot be made: {}; give another --out",
                                         options.out.string(), failed.message()));
  }
  return options.out;
}

record::RunRow run_row(const Spec& spec, const Capacity& capacity, const Clock& clock) {
  record::RunRow row;
  row.title = spec.title;
  row.tool_version = kVersion;
  row.spec_yaml = print_spec(spec);
  row.spec_sha256 = probe::sha256_of_text(row.spec_yaml);
  row.seed = spec.seed;
  row.stamp = spec.client.stamp;
  row.anchor = clock.now();
  row.started = clock.wall();
  nlohmann::json host = nlohmann::json::object();
  for (const auto& fact : probe::host_facts()) {
    host[fact.key] = {{"value", fact.value}, {"source", fact.source}};
  }
  host["client_workers"] = {{"value", std::to_string(capacity.workers)},
                            {"source", capacity.workers_why}};
  row.host_json = host.dump();
  return row;
}

void put_systems(const Spec& spec, EvenTerms& terms) {
  for (std::size_t i = 0; i < spec.systems.size(); ++i) {
    terms.put(system_row(spec.systems[i], i));
  }
}

// A data set that is shorter than a step repeats its prompts: said with the numbers.
void put_repeats(const RunPlan& plan, record::Writer& writer) {
  for (const load::StepPlan& step : plan.plans.front()) {
    std::set<std::uint64_t> unique;
    for (const load::PlannedRequest& request : step.requests) {
      if (request.phase == Phase::kMeasure) unique.insert(request.item.prompt_id);
    }
    if (step.cohort == 0 || unique.size() >= step.cohort || unique.empty()) continue;
    writer.put(record::FindingRow{
        "run", 0, "warning", "prompts_repeated",
        fmt::format("{}: {} requests, {} unique prompts, {} repeats: a prefix cache may answer "
                    "part of the prefill; give a larger data set or fewer requests.",
                    describe(step.spec), step.cohort, unique.size(), step.cohort - unique.size())});
  }
}

void put_notes(const Spec& spec, const RunPlan& plan, record::Writer& writer) {
  if (!spec.slo.empty()) {
    writer.put(record::FindingRow{"run", 0, "note", "slo_recorded_only",
                                  "The spec's SLO is recorded; this version does not judge it."});
  }
  if (!spec.tls.verify) {
    writer.put(record::FindingRow{"run", 0, "warning", "certificate_not_verified",
                                  "Certificates were not verified (tls.verify: false)."});
  }
  if (spec.workload.prompts.empty()) {
    writer.put(record::FindingRow{
        "run", 0, "note", "prompts_estimated",
        "Prompt lengths are word-based estimates; the servers' own counts are beside them."});
  }
  if (!spec.prompts_skipped.empty()) {
    writer.put(record::FindingRow{
        "run", 0, "warning", "prompts_skipped",
        fmt::format("{} rows of {} were skipped: {}", spec.prompts_skipped.size(),
                    spec.prompts_file,
                    fmt::join(spec.prompts_skipped.begin(),
                              spec.prompts_skipped.begin() +
                                  std::min<std::ptrdiff_t>(3, std::ssize(spec.prompts_skipped)),
                              "; "))});
  }
  if (!spec.workload.unique_prompts) {
    writer.put(record::FindingRow{"run", 0, "warning", "prompts_repeated",
                                  "All requests carry the same prompt: a prefix cache answers most "
                                  "of the prefill."});
  } else {
    put_repeats(plan, writer);
  }
}

// What the plan asks of the client beyond what it has shown: said before it is sent.
void put_capacity(const Capacity& capacity, const Progress& progress, record::Writer& writer) {
  for (const std::string& warning : capacity.warnings) {
    progress.warning("beyond_calibration: " + warning);
    writer.put(record::FindingRow{"run", 0, "warning", "beyond_calibration", warning});
  }
  if (!capacity.note.empty()) progress.line(capacity.note);
}

void put_credentials(const Spec& spec, const Credentials& credentials, const Progress& progress,
                     record::Writer& writer) {
  for (const std::string& warning : credentials.warnings()) {
    progress.warning(warning);
    writer.put(record::FindingRow{"run", 0, "warning", "env_file_readable", warning});
  }
  const auto own = net::own_names();
  for (std::size_t i = 0; i < spec.systems.size(); ++i) {
    const SystemSpec& system = spec.systems[i];
    const auto endpoint = wire::parse_endpoint(system.attach_url);
    if (system.launched || !endpoint) continue;
    const Remote remote = remote_of(system, *endpoint, own);
    if (!remote.remote) continue;
    writer.put(record::FindingRow{
        "system", static_cast<std::int64_t>(i) + 1, "warning", "remote_system",
        fmt::format("remote ({}): a network, and whatever else its server does, are part of these "
                    "figures; do not hold them against a local engine's",
                    remote.why)});
  }
}

// Visits in order. The first error that must be the program's is returned; the other systems are
// still measured, unless the run was interrupted or can record no more.
Result<void> run_visits(const Spec& spec, const RunPlan& plan, std::uint32_t workers,
                        const Credentials& credentials, record::Writer& writer, EvenTerms& terms,
                        const std::filesystem::path& folder, const Progress& progress,
                        const Clock& clock) {
  const workload::Workload workload(spec.workload, spec.seed);
  std::int64_t next_step_id = 1;
  RunGpus gpus({&spec, &terms, &writer, &progress, &clock});
  Leftovers leftovers;
  ModelShelf models;
  VisitContext context{&spec,  &plan,      &workload,     &writer,   &terms,
                       &gpus,  &leftovers, &models,       &progress, &clock,
                       folder, 0,          &next_step_id, workers,   &credentials};
  std::optional<Error> first;
  for (const PlannedVisit& visit : plan.visits) {
    ++context.visit_id;
    const auto outcome = run_visit(context, visit);
    if (outcome) continue;
    if (!first) first = outcome.error();
    const ErrorCode code = outcome.error().code;
    if (code == ErrorCode::kInterrupted || code == ErrorCode::kNotPublishable) break;
    if (writer.failure()) break;
    say(outcome.error());
    if (spec.on_leak == OnLeak::kStop && !leftovers.what.empty()) break;
  }
  if (first) return *first;
  return {};
}

Result<judge::JudgedRun> judge_and_report(const std::filesystem::path& run) {
  const auto file = record::find_run_file(run);
  if (!file) return file.error();
  auto reader = record::Reader::open(*file);
  if (!reader) return reader.error();
  auto judged = judge::judge(**reader);
  if (!judged) return judged.error();
  const auto series = [&](const std::function<void(const judge::GpuPoint&)>& take) {
    return judge::for_each_gpu_point(**reader, take);
  };
  if (auto written = report::write_all(*judged, file->parent_path(), series); !written) {
    return written.error();
  }
  return judged;
}

bool publishable(const judge::JudgedRun& run) {
  if (run.audit.label == audit::Comparability::kNotComparable) return false;
  for (const auto& system : run.systems) {
    for (const auto& step : system.steps) {
      if (step.label == judge::Label::kInvalidClient || step.label == judge::Label::kFailed ||
          step.label == judge::Label::kNotSteady) {
        return false;
      }
    }
  }
  return true;
}

int show(const judge::JudgedRun& run, const std::filesystem::path& folder, bool json) {
  print_err(report::console(run) + "\n");
  const std::string result =
      json ? report::summary_json(run) : (folder / "report.html").string() + "\n";
  if (print_out(result)) return kExitOk;
  say(environment_error(
      fmt::format("stdout could not be written; the result is in {}", folder.string())));
  return kExitEnvironment;
}

Result<void> save_spec(const std::filesystem::path& folder, const std::string& yaml) {
  std::ofstream file(folder / "spec.yaml");
  if (file << yaml << std::flush) return {};
  return environment_error(fmt::format("{} cannot be written; give an --out on a disk with room",
                                       (folder / "spec.yaml").string()));
}

}  // namespace

int run_spec(Spec spec, const RunOptions& options, const Clock& clock) {
  const Progress progress(options.quiet);
  const auto credentials = Credentials::read(spec);
  if (!credentials) return say(credentials.error()), kExitEnvironment;
  if (const auto filled = fill_addresses(spec, *credentials); !filled) {
    return say(filled.error()), kExitEnvironment;
  }
  const auto plan = plan_run(spec);
  if (!plan) return say(plan.error()), kExitUsage;
  const std::vector<int> cpus = probe::allowed_cpus();
  if (const auto had = cpus_can_be_had(spec.client, cpus); !had) {
    return say(had.error()), kExitEnvironment;
  }
  // The only system is asked by its visit, at once.
  if (spec.systems.size() > 1) {
    if (const auto passed = preflight(spec, *credentials, progress, clock); !passed) {
      return say(passed.error()), exit_code(passed.error().code, interrupt_signal());
    }
  }
  const auto folder = make_folder(spec, options, clock);
  if (!folder) return say(folder.error()), exit_code(folder.error().code, 0);
  const Capacity capacity = capacity_of(spec, *plan, known_calibration(), cpus);
  const record::RunRow row = run_row(spec, capacity, clock);
  auto writer = record::Writer::create(*folder / "run.sqlite", row, capacity.workers);
  if (!writer) return say(writer.error()), exit_code(writer.error().code, 0);
  if (auto saved = save_spec(*folder, row.spec_yaml); !saved) {
    return say(saved.error()), exit_code(saved.error().code, 0);
  }
  EvenTerms terms(**writer);
  put_systems(spec, terms);
  put_notes(spec, *plan, **writer);
  put_credentials(spec, *credentials, progress, **writer);
  progress.line(print_plan(spec, *plan));
  put_capacity(capacity, progress, **writer);

  const auto outcome = run_visits(spec, *plan, capacity.workers, *credentials, **writer, terms,
                                  *folder, progress, clock);
  const auto closed =
      (*writer)->finish(outcome.has_value(), outcome ? "" : outcome.error().message);
  const auto judged = judge_and_report(*folder);
  int shown = kExitOk;
  if (judged) {
    shown = show(*judged, *folder, options.json);
  } else {
    say(judged.error());
  }
  if (!closed) say(closed.error());
  if (!outcome) {
    if (outcome.error().code != ErrorCode::kEnvironment || !closed) say(outcome.error());
    return exit_code(outcome.error().code, interrupt_signal());
  }
  if (!closed || !judged || shown != kExitOk) return kExitEnvironment;
  return publishable(*judged) || options.demo ? kExitOk : kExitNotPublishable;
}

int report_run(const std::filesystem::path& run, bool json) {
  const auto judged = judge_and_report(run);
  if (!judged) return say(judged.error()), exit_code(judged.error().code, 0);
  const auto file = record::find_run_file(run);
  return show(*judged, file->parent_path(), json);
}

}  // namespace evenbench::cli
