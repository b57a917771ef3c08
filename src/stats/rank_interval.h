// Confidence intervals of quantiles from order statistics: which two of the sorted samples enclose
// the true quantile. Holds for independent samples only; correlated ones need the effective sample
// size instead.
#pragma once

#include <cstddef>
#include <optional>

namespace evenbench::stats {

// 1-based ranks into the sorted sample; absent where the sample is too small to give a limit on
// that side.
struct RankInterval {
  std::optional<std::size_t> lower, upper;
};

// Two-sided interval for the p-quantile of n independent samples, with a = 1 - confidence:
//   lower = max{l : P(Bin(n,p) <= l-1) <= a/2},  upper = min{u : P(Bin(n,p) <= u-1) >= 1 - a/2}.
// Source: Hahn and Meeker, "Statistical Intervals", chapter on distribution-free intervals. 0 < p <
// 1, 0 < confidence < 1.
RankInterval rank_interval(std::size_t n, double p, double confidence);

}  // namespace evenbench::stats
