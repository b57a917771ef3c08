#include "cli/run_plan.h"

#include <fmt/format.h>

#include "cli/units.h"
#include "load/visit_order.h"

namespace evenbench::cli {
namespace {

std::string seconds_text(Nanos d) {
  const double s = to_seconds(d);
  return s < 120 ? fmt::format("{:.0f} s", s) : fmt::format("{:.0f} min", s / 60);
}

std::string print_step(const load::StepPlan& plan) {
  const std::string count = plan.cohort > 0 ? fmt::format("{} requests measured", plan.cohort)
                                            : std::string("as many requests as users allow");
  return fmt::format("    {:<28} {:<32} about {}\n", describe(plan.spec), count,
                     seconds_text(plan.expected_duration()));
}

std::string print_limits(const net::Limits& limits) {
  const auto one = [](const char* name, Nanos d) {
    return fmt::format("{} {}", name, d.count() > 0 ? print_duration(d) : "none");
  };
  return fmt::format("time limits: {}, {}, {}, {}", one("connect", limits.connect),
                     one("total", limits.total), one("idle", limits.idle),
                     one("first token", limits.first_token));
}

}  // namespace

std::string describe(const load::StepSpec& step) {
  if (step.kind == load::StepKind::kClosed) {
    return fmt::format("closed loop, {} user{}", step.concurrency,
                       step.concurrency == 1 ? "" : "s");
  }
  return fmt::format("{:g} requests/s, {}", step.rate.per_second(),
                     arrivals::to_string(step.arrivals));
}

Result<RunPlan> plan_run(const Spec& spec) {
  RunPlan out;
  const workload::Workload workload(spec.workload, spec.seed);
  for (std::uint32_t block = 1; block <= spec.blocks; ++block) {
    auto& plans = out.plans.emplace_back();
    for (std::uint32_t i = 0; i < spec.steps.size(); ++i) {
      auto plan = load::plan_step(spec.steps[i], workload, spec.seed, block, i);
      if (!plan) return plan.error().in(describe(spec.steps[i]));
      const auto share = static_cast<std::int64_t>(spec.systems.size());
      out.expected += (plan->expected_duration() + spec.settle) * share;
      plans.push_back(std::move(*plan));
    }
  }
  const auto orders = load::visit_orders(static_cast<int>(spec.systems.size()),
                                         static_cast<int>(spec.blocks), spec.seed);
  for (std::size_t block = 0; block < orders.size(); ++block) {
    for (const int system : orders[block]) {
      out.visits.push_back(
          {static_cast<std::uint32_t>(block + 1), static_cast<std::size_t>(system)});
    }
  }
  return out;
}

std::string print_plan(const Spec& spec, const RunPlan& plan) {
  std::string out =
      fmt::format("{}: {} system{}, {} block{}, seed {}, about {} of load\n{}\n", spec.title,
                  spec.systems.size(), spec.systems.size() == 1 ? "" : "s", spec.blocks,
                  spec.blocks == 1 ? "" : "s", spec.seed, seconds_text(plan.expected),
                  print_limits(spec.limits));
  std::uint32_t block = 0;
  for (const PlannedVisit& visit : plan.visits) {
    if (visit.block != block) {
      block = visit.block;
      out += fmt::format("block {}\n", block);
    }
    const SystemSpec& system = spec.systems[visit.system];
    out += fmt::format("  {} ({}{})\n", system.name, system.engine,
                       system.attach_url.empty() ? fmt::format(", launched on port {}", system.port)
                                                 : ", attached at " + system.attach_url);
    for (const load::StepPlan& step : plan.plans[visit.block - 1]) out += print_step(step);
  }
  return out;
}

}  // namespace evenbench::cli
