// Quantiles of sorted samples. Samples may hold +infinity (a failed request is infinitely slow);
// the result is then +infinity where the quantile falls on or next to one, and never NaN.
#pragma once

#include <optional>
#include <span>

namespace evenbench::stats {

// Linear interpolation at position q * (n - 1), 0 <= q <= 1: type 7 of Hyndman and Fan, "Sample
// Quantiles in Statistical Packages", The American Statistician 50(4), 1996; the default of NumPy,
// R and spreadsheets. `sorted` must be in rising order and hold no NaN. nullopt when it is empty.
std::optional<double> quantile(std::span<const double> sorted, double q);

// The same over the samples of `sorted` followed by `infinities` times +infinity, without making
// that list.
std::optional<double> quantile_with_infinities(std::span<const double> sorted,
                                               std::size_t infinities, double q);

}  // namespace evenbench::stats
