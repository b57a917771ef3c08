// Durations of which a step may hold more than memory should: all of them up to a number that is
// exact enough for any percentile, beyond it their histogram.
#pragma once

#include <cstddef>
#include <vector>

#include "base/log_histogram.h"
#include "judge/judged_run.h"

namespace evenbench::judge {

class GapSamples {
 public:
  static constexpr std::size_t kExact = std::size_t{1} << 18;

  // `times` samples of this many milliseconds.
  void add(double millis, std::uint32_t times = 1);
  void clear() { *this = {}; }
  // Percentiles of a histogram come with its relative error, and without interpolation.
  [[nodiscard]] Distribution distribution();

 private:
  std::vector<double> exact_;  // empty as soon as there are more
  LogHistogram many_;
};

}  // namespace evenbench::judge
