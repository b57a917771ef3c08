// What it costs to decide when requests are sent and what each is, beside instants that are merely
// counted out.
#include <benchmark/benchmark.h>

#include <vector>

#include "arrivals/arrivals.h"
#include "load/plan.h"

namespace evenbench {
namespace {

constexpr std::size_t kRequests = 100'000;
constexpr Nanos kSpan = std::chrono::seconds{100};

void count_out_instants(benchmark::State& state) {
  for (auto _ : state) {
    std::vector<Nanos> instants;
    instants.reserve(kRequests);
    for (std::size_t i = 0; i < kRequests; ++i) {
      instants.push_back(kSpan / kRequests * static_cast<Nanos::rep>(i));
    }
    benchmark::DoNotOptimize(instants);
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRequests));
}
BENCHMARK(count_out_instants)->Unit(benchmark::kMillisecond);

void draw_instants(benchmark::State& state, arrivals::Process process) {
  for (auto _ : state) {
    Rng rng(1, "bench");
    benchmark::DoNotOptimize(arrivals::schedule(process, kRequests, kSpan, rng));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRequests));
}
BENCHMARK_CAPTURE(draw_instants, constant, {arrivals::Law::kConstant})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_instants, poisson, {arrivals::Law::kPoisson})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(draw_instants, gamma, {arrivals::Law::kGamma, 0.5})
    ->Unit(benchmark::kMillisecond);

void plan_whole_step(benchmark::State& state) {
  load::StepSpec spec;
  spec.rate = Rate::per_second(1000);
  spec.measure = kSpan;
  workload::WorkloadSpec lengths;
  lengths.input.fixed = 512;
  lengths.output.fixed = 128;
  const workload::Workload workload(lengths, 1);
  std::size_t planned = 0;
  for (auto _ : state) {
    const auto plan = load::plan_step(spec, workload, 1, 1, 0);
    if (!plan) return state.SkipWithError("no plan");
    planned = plan->requests.size();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(planned));
}
BENCHMARK(plan_whole_step)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace evenbench

BENCHMARK_MAIN();
