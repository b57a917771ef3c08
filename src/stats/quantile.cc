#include "stats/quantile.h"

#include <cmath>
#include <limits>

#include "base/check.h"

namespace evenbench::stats {

std::optional<double> quantile(std::span<const double> sorted, double q) {
  return quantile_with_infinities(sorted, 0, q);
}

std::optional<double> quantile_with_infinities(std::span<const double> sorted,
                                               std::size_t infinities, double q) {
  EVENBENCH_CHECK(q >= 0.0 && q <= 1.0, "quantile {} is not between 0 and 1", q);
  const std::size_t count = sorted.size() + infinities;
  if (count == 0) return std::nullopt;
  const auto at = [&](std::size_t i) {
    return i < sorted.size() ? sorted[i] : std::numeric_limits<double>::infinity();
  };
  const double position = q * static_cast<double>(count - 1);
  const auto below = static_cast<std::size_t>(std::floor(position));
  const double share = position - static_cast<double>(below);
  const double low = at(below);
  // Without this, 0 * infinity and infinity - infinity would give NaN.
  if (share == 0.0 || std::isinf(low)) return low;
  const double high = at(below + 1);
  return std::isinf(high) ? high : low + share * (high - low);
}

}  // namespace evenbench::stats
