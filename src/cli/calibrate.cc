#include "cli/calibrate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "calibrate/calibrate.h"
#include "calibrate/store.h"
#include "calibrate/trial.h"
#include "cli/calibration_file.h"
#include "cli/client_flags.h"
#include "cli/exit_code.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "cli/version.h"
#include "probe/limits.h"

namespace evenbench::cli {
namespace {

constexpr double kBudgetS = 60, kQuickBudgetS = 15;
constexpr double kLeastBudgetS = 5, kMostBudgetS = 3600;
constexpr std::uint32_t kMostStreams = 4096;
constexpr std::uint32_t kFewestStreams = 64;
constexpr std::uint64_t kFilesBesideStreams = 64;

int refuse(const Error& error) {
  print_err(fmt::format("evenbench: {}\n", error.message));
  return exit_code(error.code, interrupt_signal());
}

// A number, or auto: one less than there are CPUs, which is the null server's.
Result<std::uint32_t> workers_of(const CalibrateArgs& args) {
  ClientSpec client;
  if (auto applied = apply({.workers = args.workers, .stamp = {}, .cpus = {}}, client); !applied) {
    return applied.error();
  }
  return client.workers.value_or(std::max<std::size_t>(probe::allowed_cpus().size(), 2) - 1);
}

Result<double> budget_of(const CalibrateArgs& args) {
  const double seconds = args.duration_s.value_or(args.quick ? kQuickBudgetS : kBudgetS);
  if (seconds >= kLeastBudgetS && seconds <= kMostBudgetS) return seconds;
  return usage_error(fmt::format("--duration must be from {:g} to {:g} seconds, not {:g}",
                                 kLeastBudgetS, kMostBudgetS, seconds));
}

// As many as can be open at once here.
std::uint32_t most_streams() {
  std::uint32_t streams = kMostStreams;
  while (streams > kFewestStreams && !probe::ensure_open_files(streams + kFilesBesideStreams)) {
    streams /= 2;
  }
  return streams;
}

std::string limit_text(calibrate::Quantity quantity, const calibrate::Limit& limit) {
  if (!limit.known()) return fmt::format("not known: {}", name_of(quantity));
  if (limit.holds == 0) {
    return fmt::format("at no level tried, down to {}",
                       text_of(quantity, limit.fails_at.value_or(0)));
  }
  return text_of(quantity, limit.holds);
}

std::string reason_text(calibrate::Quantity quantity, const calibrate::Limit& limit) {
  using calibrate::LimitedBy;
  const std::string failed =
      limit.fails_at ? fmt::format("at {}: {}", text_of(quantity, *limit.fails_at), limit.why)
                     : std::string("nothing failed");
  switch (limit.by) {
    case LimitedBy::kClient:
      return failed;
    case LimitedBy::kServer:
      return limit.known() ? fmt::format("at least; {}", failed) : failed;
    case LimitedBy::kBound:
      return "at least; no more was tried";
    case LimitedBy::kTime:
      break;
  }
  return fmt::format("{}the time was over ({})", limit.known() ? "at least; " : "", failed);
}

Result<void> find(const CalibrateArgs& args, double budget_s, const Clock& clock,
                  calibrate::Calibration& out) {
  const Progress progress(false);
  calibrate::CalibrateOptions options;
  options.budget = from_seconds(budget_s);
  options.most_streams = most_streams();
  options.interrupted = [] { return interrupts() > 0; };
  options.tell = [&progress](const std::string& text) { progress.line("  " + text); };
  const calibrate::TrialPlace place{
      &clock,
      std::filesystem::temp_directory_path() / fmt::format("evenbench-calibrate-{}", ::getpid()),
      out.workers};
  options.run = [&place](const calibrate::TrialPlan& plan) {
    return calibrate::run_trial(plan, place);
  };
  progress.line(fmt::format("calibrating {} worker{} against a null server, at most {:.0f} s{}",
                            out.workers, out.workers == 1 ? "" : "s", budget_s,
                            args.quick ? ", roughly" : ""));
  return calibrate::find_limits(options, clock, out);
}

}  // namespace

std::string print_calibration(const calibrate::Calibration& calibration) {
  std::string out = fmt::format(
      "With {} worker{}, 99 of 100 instants are recorded within {:g} ms of the truth up to:\n",
      calibration.workers, calibration.workers == 1 ? "" : "s", to_millis(calibrate::kErrorBound));
  for (const calibrate::Quantity quantity : calibrate::kQuantities) {
    const calibrate::Limit& limit = calibration.limit(quantity);
    out += fmt::format("  {:<22}{}\n", limit_text(quantity, limit), reason_text(quantity, limit));
  }
  return out;
}

int run_calibrate(const CalibrateArgs& args, const Clock& clock) {
  const auto workers = workers_of(args);
  if (!workers) return refuse(workers.error());
  const auto budget_s = budget_of(args);
  if (!budget_s) return refuse(budget_s.error());
  const auto file = calibration_file();
  if (!file) return refuse(file.error());
  calibrate::Calibration calibration;
  calibration.machine = this_machine();
  calibration.made = iso8601(clock.wall());
  calibration.workers = *workers;
  if (auto found = find(args, *budget_s, clock, calibration); !found) return refuse(found.error());
  if (auto saved = calibrate::save(calibration, *file); !saved) return refuse(saved.error());
  print_err(fmt::format("stored in {}\n", file->string()));
  if (!std::all_of(calibration.limits.begin(), calibration.limits.end(),
                   [](const calibrate::Limit& limit) { return limit.known(); })) {
    print_err(
        "warning: this machine was too busy to tell every limit; run it again when nothing "
        "else runs\n");
  }
  const bool printed =
      print_out(args.json ? calibrate::to_json(calibration) : print_calibration(calibration));
  return printed ? kExitOk : refuse(environment_error("stdout could not be written"));
}

}  // namespace evenbench::cli
