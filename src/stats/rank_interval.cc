#include "stats/rank_interval.h"

#include <boost/math/distributions/binomial.hpp>

#include "base/check.h"

namespace evenbench::stats {
namespace {

// Smallest k in [0, n] for which P(Bin(n,p) <= k) >= level.
std::size_t smallest_count(const boost::math::binomial_distribution<double>& law, std::size_t n,
                           double level) {
  std::size_t low = 0;
  std::size_t high = n;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (boost::math::cdf(law, static_cast<double>(middle)) >= level) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

RankInterval rank_interval(std::size_t n, double p, double confidence) {
  EVENBENCH_CHECK(p > 0.0 && p < 1.0, "quantile {} is not between 0 and 1", p);
  EVENBENCH_CHECK(confidence > 0.0 && confidence < 1.0, "confidence {} is not between 0 and 1",
                  confidence);
  if (n == 0) return {};
  const double tail = (1.0 - confidence) / 2.0;
  const boost::math::binomial_distribution<double> law(static_cast<double>(n), p);
  RankInterval out;
  // The largest l with P(<= l-1) <= tail is the smallest k with P(<= k) > tail: all counts below k
  // are still within the tail.
  std::size_t k = smallest_count(law, n, tail);
  if (boost::math::cdf(law, static_cast<double>(k)) == tail) ++k;
  if (k >= 1) out.lower = k;
  const std::size_t u = smallest_count(law, n, 1.0 - tail) + 1;
  if (u <= n) out.upper = u;
  return out;
}

}  // namespace evenbench::stats
