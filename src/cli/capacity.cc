#include "cli/capacity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace evenbench::cli {
namespace {

using calibrate::Quantity;

void raise(calibrate::Peaks& peaks, Quantity quantity, double value) {
  auto& peak = peaks[static_cast<std::size_t>(quantity)];
  peak = std::max(peak.value_or(0), value);
}

double mean_output(const load::StepPlan& plan) {
  double sum = 0;
  for (const load::PlannedRequest& request : plan.requests) sum += request.item.output_tokens;
  return plan.requests.empty() ? 0 : sum / static_cast<double>(plan.requests.size());
}

// Peaks whose limits a busy machine hid.
std::string not_compared(const calibrate::Peaks& peaks, const calibrate::Calibration& calibration) {
  std::vector<std::string_view> hidden;
  for (const Quantity quantity : calibrate::kQuantities) {
    const bool asked = peaks[static_cast<std::size_t>(quantity)].has_value();
    if (asked && !calibration.limit(quantity).known()) hidden.push_back(name_of(quantity));
  }
  if (hidden.empty()) return "";
  return fmt::format(
      "the plan was not compared with what this client can do ({}): the machine was too busy when "
      "evenbench calibrate was run; run it again when nothing else runs",
      fmt::join(hidden, ", "));
}

}  // namespace

calibrate::Peaks peaks_of(const Spec& spec, const RunPlan& plan) {
  calibrate::Peaks out;
  for (const auto& block : plan.plans) {
    for (const load::StepPlan& step : block) {
      if (step.spec.kind == load::StepKind::kClosed) {
        raise(out, Quantity::kStreams, step.spec.concurrency);
        continue;
      }
      const double rate = step.spec.rate.per_second();
      raise(out, Quantity::kRequestRate, rate);
      if (step.spec.max_in_flight > 0) raise(out, Quantity::kStreams, step.spec.max_in_flight);
      const double tokens = spec.request.stream ? mean_output(step) : 0;
      if (tokens > 0) raise(out, Quantity::kTokenRate, rate * tokens);
    }
  }
  return out;
}

Capacity capacity_of(const Spec& spec, const RunPlan& plan, const KnownCalibration& known,
                     const std::vector<int>& allowed) {
  const calibrate::Peaks peaks = peaks_of(spec, plan);
  Capacity out;
  if (spec.client.workers) {
    out.workers = *spec.client.workers;
    out.workers_why = "as asked";
  } else {
    // CPUs that were named are all for the workers.
    const std::size_t cpus = spec.client.cpus.empty() ? std::max<std::size_t>(allowed.size(), 1)
                                                      : spec.client.cpus.size() + 1;
    const auto choice =
        calibrate::workers_for(peaks, known.calibration, static_cast<std::uint32_t>(cpus));
    out.workers = choice.workers;
    out.workers_why = "auto: " + choice.why;
  }
  if (known.calibration) {
    out.warnings = calibrate::beyond(peaks, *known.calibration, out.workers);
    out.note = not_compared(peaks, *known.calibration);
  } else {
    out.note = "the plan was not compared with what this client can do: " + known.why_none;
  }
  return out;
}

Result<void> cpus_can_be_had(const ClientSpec& client, const std::vector<int>& allowed) {
  if (allowed.empty()) return {};
  std::vector<int> missing;
  for (const int cpu : client.cpus) {
    if (std::find(allowed.begin(), allowed.end(), cpu) == allowed.end()) missing.push_back(cpu);
  }
  if (missing.empty()) return {};
  return environment_error(fmt::format(
      "client.cpus names CPU {}, which this process may not use here; it may use {}; name CPUs "
      "of these, or none",
      fmt::join(missing, ", "), fmt::join(allowed, ", ")));
}

std::string print_capacity(const Capacity& capacity) {
  std::string out = fmt::format("client: {} worker{} ({})\n", capacity.workers,
                                capacity.workers == 1 ? "" : "s", capacity.workers_why);
  for (const std::string& warning : capacity.warnings) {
    out += fmt::format("warning: beyond_calibration: {}\n", warning);
  }
  if (!capacity.note.empty()) out += capacity.note + "\n";
  return out;
}

}  // namespace evenbench::cli
