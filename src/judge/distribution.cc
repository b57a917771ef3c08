#include "judge/distribution.h"

#include <algorithm>

#include "stats/moments.h"
#include "stats/quantile.h"

namespace evenbench::judge {

Distribution distribution_of(std::vector<double>& samples) {
  std::sort(samples.begin(), samples.end());
  Distribution out;
  out.count = samples.size();
  if (samples.empty()) return out;
  stats::Moments moments;
  for (const double x : samples) moments.add(x);
  // Rounding may put the mean of equal samples one unit of the last place outside of them.
  out.mean = std::clamp(*moments.mean(), samples.front(), samples.back());
  out.min = samples.front();
  out.max = samples.back();
  out.p50 = stats::quantile(samples, 0.50);
  out.p90 = stats::quantile(samples, 0.90);
  out.p95 = stats::quantile(samples, 0.95);
  out.p99 = stats::quantile(samples, 0.99);
  return out;
}

std::optional<Percentiles> percentiles_with_failures(std::span<const double> sorted,
                                                     std::uint64_t infinities) {
  if (sorted.empty() && infinities == 0) return std::nullopt;
  return Percentiles{stats::quantile_with_infinities(sorted, infinities, 0.50),
                     stats::quantile_with_infinities(sorted, infinities, 0.95),
                     stats::quantile_with_infinities(sorted, infinities, 0.99)};
}

std::vector<double> cdf_of(std::span<const double> sorted) {
  std::vector<double> out;
  if (sorted.empty()) return out;
  constexpr int kSteps = 100;
  out.reserve(kSteps + 1);
  for (int i = 0; i <= kSteps; ++i) {
    out.push_back(*stats::quantile(sorted, static_cast<double>(i) / kSteps));
  }
  return out;
}

}  // namespace evenbench::judge
