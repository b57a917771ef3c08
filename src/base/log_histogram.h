// Counts of durations in buckets of equal relative width: a percentile of a hundred million gaps
// in a fixed half megabyte. Buckets are those of an HDR histogram (Tene, HdrHistogram): 1024 to the
// octave, so a value is told to within 0.1 %.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/time.h"

namespace evenbench {

class LogHistogram {
 public:
  // Values below 0 count as 0; those beyond about three hours as the longest.
  void add(Nanos value, std::uint64_t times = 1);
  void add(const LogHistogram& other);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  // The smallest bucket's middle at or below which a share `q` (0 to 1) of the values lies; the
  // exact minimum and maximum at the ends. nullopt: there are no values.
  [[nodiscard]] std::optional<Nanos> quantile(double q) const;
  [[nodiscard]] std::optional<Nanos> max() const;
  [[nodiscard]] std::optional<Nanos> min() const;
  [[nodiscard]] std::optional<double> mean() const;  // nanoseconds

 private:
  std::vector<std::uint64_t> buckets_;  // as many as the largest value needs
  std::uint64_t count_ = 0;
  double sum_ = 0;
  Nanos min_{0}, max_{0};
};

}  // namespace evenbench
