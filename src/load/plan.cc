#include "load/plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/rng.h"

namespace evenbench::load {
namespace {

// Cool-down arrivals are only sent while the cohort is unfinished, so few are needed. These bound
// the plan, and what a slow server is asked for beyond what was asked to be measured.
constexpr Nanos kMaxCooldown = std::chrono::seconds{120};
constexpr double kMaxCooldownCohorts = 2.0;
// Each holds about 50 bytes of plan and 2 KiB of request when it is sent.
constexpr std::size_t kMaxRequests = 5'000'000;

struct Span {
  std::size_t count = 0;
  Nanos length{0};
};

Span by_count(std::uint32_t count, Rate rate) {
  return {count, from_seconds(count / rate.per_second())};
}
Span by_time(Nanos length, Rate rate) {
  return {arrivals::offered_count(rate, length), length};
}

Nanos warmup_time(const StepSpec& spec) {
  if (spec.warmup.duration) return *spec.warmup.duration;
  if (spec.warmup.share && spec.measure) {
    return from_seconds(*spec.warmup.share * to_seconds(*spec.measure));
  }
  return Nanos{0};
}

Span warmup_span(const StepSpec& spec, const Span& cohort) {
  if (spec.warmup.count) return by_count(*spec.warmup.count, spec.rate);
  if (spec.warmup.share && !spec.measure) {
    return by_time(from_seconds(*spec.warmup.share * to_seconds(cohort.length)), spec.rate);
  }
  return by_time(warmup_time(spec), spec.rate);
}

class OpenPlanner {
 public:
  OpenPlanner(StepPlan& plan, const workload::Workload& workload) : plan_(plan), load_(workload) {}

  // Appends the arrivals of one phase; phases follow one another without a gap in the rate.
  void add(Phase phase, const Span& span) {
    Rng rng(plan_.seed, std::string("arrivals/").append(name_of(phase)));
    const std::string stream = plan_.item_stream + std::string(name_of(phase));
    std::uint64_t index = 0;
    for (const Nanos offset :
         arrivals::schedule(plan_.spec.arrivals, span.count, span.length, rng)) {
      plan_.requests.push_back({begin_ + offset, phase, load_.item(stream, index++)});
    }
    begin_ += span.length;
  }

 private:
  StepPlan& plan_;
  const workload::Workload& load_;
  Nanos begin_{0};
};

Result<StepPlan> plan_open(StepPlan plan, const workload::Workload& workload) {
  const StepSpec& spec = plan.spec;
  if (!(spec.rate.per_second() > 0)) return usage_error("a rate must be above 0 requests/s");
  const Span cohort = spec.requests ? by_count(*spec.requests, spec.rate)
                                    : by_time(spec.measure.value_or(Nanos{0}), spec.rate);
  if (cohort.count == 0) {
    return usage_error(fmt::format(
        "no request falls into the measuring window: {:g} requests/s for {:g} s; measure longer or "
        "ask for a number of requests",
        spec.rate.per_second(), to_seconds(cohort.length)));
  }
  const Span warmup = warmup_span(spec, cohort);
  if (cohort.count + warmup.count > kMaxRequests) {
    return usage_error(fmt::format(
        "{} requests in one step are more than the {} that can be planned; lower the rate or "
        "measure less",
        cohort.count + warmup.count, kMaxRequests));
  }
  OpenPlanner planner(plan, workload);
  planner.add(Phase::kWarmup, warmup);
  planner.add(Phase::kMeasure, cohort);
  const Nanos cooldown = std::min({spec.cooldown_limit, kMaxCooldown,
                                   from_seconds(kMaxCooldownCohorts * to_seconds(cohort.length))});
  planner.add(Phase::kCooldown, by_time(cooldown, spec.rate));
  plan.window_begin = warmup.length;
  plan.window_end = warmup.length + cohort.length;
  plan.cohort = static_cast<std::uint32_t>(cohort.count);
  return plan;
}

Result<StepPlan> plan_closed(StepPlan plan) {
  const StepSpec& spec = plan.spec;
  if (spec.concurrency == 0) return usage_error("a closed loop needs at least one user");
  if (!spec.measure && !spec.requests) {
    return usage_error("a closed loop needs a duration or a number of requests");
  }
  // The window opens when all users are there.
  const Nanos ramp = spec.ramp > 0 ? from_seconds((spec.concurrency - 1) / spec.ramp) : Nanos{0};
  plan.window_begin = std::max(warmup_time(spec), ramp);
  plan.window_end = plan.window_begin + (spec.requests ? Nanos{0} : *spec.measure);
  plan.cohort = spec.requests.value_or(0);
  return plan;
}

}  // namespace

std::string_view name_of(StepKind kind) {
  return kind == StepKind::kLadder ? "ladder" : "closed";
}

Result<StepPlan> plan_step(const StepSpec& spec, const workload::Workload& workload,
                           std::uint64_t seed, std::uint32_t block, std::uint32_t step_index) {
  StepPlan plan;
  plan.spec = spec;
  plan.seed = Rng(seed, fmt::format("step/b{}", block), step_index).bits();
  plan.item_stream = fmt::format("b{}/s{}/", block, step_index);
  return spec.kind == StepKind::kLadder ? plan_open(std::move(plan), workload)
                                        : plan_closed(std::move(plan));
}

}  // namespace evenbench::load
