#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/lognormal.hpp>
#include <cmath>

#include "workload/workload.h"

namespace evenbench::workload {
namespace {

double draw(const LengthSpec& spec, Rng& rng) {
  switch (spec.law) {
    case LengthSpec::Law::kFixed:
      return spec.fixed;
    case LengthSpec::Law::kUniform: {
      const auto values = static_cast<std::uint64_t>(spec.high - spec.low) + 1;
      return spec.low + static_cast<double>(rng.below(values));
    }
    case LengthSpec::Law::kLognormal: {
      const double u = rng.uniform();
      if (spec.sigma <= 0) return spec.median;
      return boost::math::quantile(
          boost::math::lognormal_distribution<double>(std::log(spec.median), spec.sigma), u);
    }
  }
  return 0;
}

}  // namespace

std::uint32_t draw_length(const LengthSpec& spec, Rng& rng, bool* clipped) {
  if (clipped != nullptr) *clipped = false;
  const double value = draw(spec, rng);
  if (spec.law == LengthSpec::Law::kFixed && value == 0) return 0;
  const double bounded =
      std::clamp(std::round(value), static_cast<double>(spec.min), static_cast<double>(spec.max));
  if (clipped != nullptr) *clipped = bounded != std::round(value);
  return static_cast<std::uint32_t>(bounded);
}

std::string to_string(const LengthSpec& spec) {
  switch (spec.law) {
    case LengthSpec::Law::kFixed:
      return spec.fixed == 0 ? "not asked for" : fmt::format("fixed {}", spec.fixed);
    case LengthSpec::Law::kUniform:
      return fmt::format("uniform {} to {}", spec.low, spec.high);
    case LengthSpec::Law::kLognormal:
      return fmt::format("lognormal, median {}, sigma {}, from {} to {}", spec.median, spec.sigma,
                         spec.min, spec.max);
  }
  return "";
}

Nanos draw_duration(const DurationSpec& spec, Rng& rng) {
  switch (spec.law) {
    case DurationSpec::Law::kFixed:
      return spec.fixed;
    case DurationSpec::Law::kUniform:
      return spec.low + Nanos{std::llround(rng.uniform() *
                                           static_cast<double>((spec.high - spec.low).count()))};
    case DurationSpec::Law::kExponential:
      return Nanos{
          std::llround(-std::log(rng.uniform()) * static_cast<double>(spec.fixed.count()))};
  }
  return Nanos{0};
}

}  // namespace evenbench::workload
