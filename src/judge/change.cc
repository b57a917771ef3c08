#include <cmath>

#include "judge/judge.h"

namespace evenbench::judge {

Change change_of(std::optional<double> base, std::optional<double> value, Better better) {
  Change out;
  if (!base || !value || *base == 0.0 || !std::isfinite(*base) || !std::isfinite(*value)) {
    return out;
  }
  const double percent = (*value - *base) / std::abs(*base) * 100.0;
  out.percent = percent;
  out.better = better == Better::kMore ? percent > 0.0 : percent < 0.0;
  return out;
}

}  // namespace evenbench::judge
