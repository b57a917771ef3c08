// Samples into the figures that a report prints.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "judge/judged_run.h"

namespace evenbench::judge {

// Sorts `samples` in place.
Distribution distribution_of(std::vector<double>& samples);
// `sorted` plus `infinities` requests that never came to an end; absent when there is neither.
std::optional<Percentiles> percentiles_with_failures(std::span<const double> sorted,
                                                     std::uint64_t infinities);
// The quantiles 0, 0.01, ... 1; empty without samples.
std::vector<double> cdf_of(std::span<const double> sorted);

}  // namespace evenbench::judge
