#include "judge/gap_samples.h"

#include <cmath>

#include "judge/distribution.h"

namespace evenbench::judge {
namespace {

constexpr double kHistogramError = 0.001;  // of base/log_histogram.h
constexpr double kNanosPerMilli = 1e6;

Nanos to_nanos(double millis) {
  return Nanos{std::llround(millis * kNanosPerMilli)};
}

}  // namespace

void GapSamples::add(double millis, std::uint32_t times) {
  if (many_.count() == 0 && exact_.size() + times <= kExact) {
    exact_.insert(exact_.end(), times, millis);
    return;
  }
  for (const double gap : exact_) many_.add(to_nanos(gap));
  exact_ = {};
  many_.add(to_nanos(millis), times);
}

Distribution GapSamples::distribution() {
  if (many_.count() == 0) return distribution_of(exact_);
  const auto at = [this](double q) { return to_millis(*many_.quantile(q)); };
  Distribution out;
  out.count = many_.count();
  out.mean = *many_.mean() / kNanosPerMilli;
  out.min = to_millis(*many_.min());
  out.p50 = at(0.50);
  out.p90 = at(0.90);
  out.p95 = at(0.95);
  out.p99 = at(0.99);
  out.max = to_millis(*many_.max());
  out.relative_error = kHistogramError;
  return out;
}

}  // namespace evenbench::judge
