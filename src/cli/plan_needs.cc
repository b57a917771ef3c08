#include "cli/plan_needs.h"

#include <algorithm>

#include "base/outcome.h"
#include "cli/units.h"

namespace evenbench::cli {
namespace {

void add(audit::PlanNeeds& needs, const workload::Item& item) {
  needs.longest_input = std::max(needs.longest_input, item.input_tokens);
  needs.longest_request = std::max(needs.longest_request, item.input_tokens + item.output_tokens);
}

void add_items(audit::PlanNeeds& needs, const load::StepPlan& step,
               const workload::Workload& workload) {
  constexpr std::uint64_t kLooked = 1000;
  for (const load::PlannedRequest& request : step.requests) add(needs, request.item);
  if (step.spec.kind != load::StepKind::kClosed) return;
  for (const Phase phase : {Phase::kWarmup, Phase::kMeasure}) {
    const std::string stream = step.item_stream + std::string(name_of(phase));
    for (std::uint64_t k = 0; k < kLooked; ++k) add(needs, workload.item(stream, k));
  }
}

}  // namespace

audit::PlanNeeds needs_of(const Spec& spec, const RunPlan& plan) {
  audit::PlanNeeds needs;
  const workload::Workload workload(spec.workload, spec.seed);
  for (const auto& block : plan.plans) {
    for (const load::StepPlan& step : block) {
      add_items(needs, step, workload);
      if (step.spec.kind == load::StepKind::kClosed) {
        needs.most_at_once = std::max(needs.most_at_once, step.spec.concurrency);
      } else {
        needs.most_at_once = std::max(needs.most_at_once, step.spec.max_in_flight);
        needs.highest_rate = std::max(needs.highest_rate, step.spec.rate.per_second());
      }
    }
  }
  for (const auto& [name, value] : spec.slo) {
    const auto limit = parse_duration(value);
    if (!name.starts_with("ttft") || !limit) continue;
    if (!needs.tightest_slo || *limit < *needs.tightest_slo) needs.tightest_slo = *limit;
  }
  return needs;
}

}  // namespace evenbench::cli
