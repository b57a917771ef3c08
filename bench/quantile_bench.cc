// What the percentiles of a million samples cost the judge, beside finding a single one of them.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "base/rng.h"
#include "judge/distribution.h"

namespace evenbench::judge {
namespace {

constexpr std::int64_t kSamples = 1'000'000;

std::vector<double> samples() {
  Rng rng(1, "bench");
  std::vector<double> out(kSamples);
  for (double& x : out) x = rng.uniform();
  return out;
}

void find_one_percentile(benchmark::State& state) {
  const std::vector<double> drawn = samples();
  std::vector<double> work;
  for (auto _ : state) {
    work = drawn;
    const auto at = work.begin() + kSamples * 99 / 100;
    std::nth_element(work.begin(), at, work.end());
    benchmark::DoNotOptimize(*at);
  }
  state.SetItemsProcessed(state.iterations() * kSamples);
}
BENCHMARK(find_one_percentile)->Unit(benchmark::kMillisecond);

void judge_percentiles(benchmark::State& state) {
  const std::vector<double> drawn = samples();
  std::vector<double> work;
  for (auto _ : state) {
    work = drawn;
    benchmark::DoNotOptimize(distribution_of(work));
  }
  state.SetItemsProcessed(state.iterations() * kSamples);
}
BENCHMARK(judge_percentiles)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace evenbench::judge

BENCHMARK_MAIN();
