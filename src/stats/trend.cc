#include "stats/trend.h"

#include <algorithm>
#include <vector>

namespace evenbench::stats {

std::optional<double> theil_sen_slope(std::span<const double> y) {
  if (y.size() < 2) return std::nullopt;
  std::vector<double> slopes;
  slopes.reserve(y.size() * (y.size() - 1) / 2);
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t j = i + 1; j < y.size(); ++j) {
      slopes.push_back((y[j] - y[i]) / static_cast<double>(j - i));
    }
  }
  const auto middle = slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2);
  std::nth_element(slopes.begin(), middle, slopes.end());
  if (slopes.size() % 2 == 1) return *middle;
  return (*std::max_element(slopes.begin(), middle) + *middle) / 2.0;
}

}  // namespace evenbench::stats
