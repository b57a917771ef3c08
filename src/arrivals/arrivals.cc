#include "arrivals/arrivals.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <charconv>
#include <cmath>

#include "base/check.h"

namespace evenbench::arrivals {
namespace {

// One gap in units of the mean gap times the shape: only ratios matter to the schedule.
double draw_gap(const Process& process, Rng& rng) {
  const double u = rng.uniform();
  if (process.law == Law::kGamma && process.shape != 1.0) {
    return boost::math::quantile(boost::math::gamma_distribution<double>(process.shape), u);
  }
  return -std::log(u);  // inverse distribution function of the exponential law
}

Error unknown_process(std::string_view text) {
  return usage_error(fmt::format(
      "'{}' is no arrival process; write poisson, constant or gamma:K with K above 0 (gamma:0.5)",
      text));
}

}  // namespace

Result<Process> parse_process(std::string_view text) {
  if (text == "poisson") return Process{Law::kPoisson, 1.0};
  if (text == "constant") return Process{Law::kConstant, 1.0};
  constexpr std::string_view kGammaPrefix = "gamma:";
  if (!text.starts_with(kGammaPrefix)) return unknown_process(text);
  const std::string_view number = text.substr(kGammaPrefix.size());
  double shape = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), shape);
  // Beyond these shapes the gaps underflow to 0 or are constant to the nanosecond.
  if (error != std::errc{} || end != number.data() + number.size() || !(shape >= 1e-3) ||
      !(shape <= 1e6)) {
    return unknown_process(text);
  }
  return Process{Law::kGamma, shape};
}

std::string to_string(const Process& process) {
  switch (process.law) {
    case Law::kPoisson:
      return "poisson";
    case Law::kConstant:
      return "constant";
    case Law::kGamma:
      return fmt::format("gamma:{}", process.shape);
  }
  return "";
}

std::vector<Nanos> schedule_from_gaps(const std::vector<double>& gaps, Nanos span) {
  EVENBENCH_CHECK(!gaps.empty(), "a schedule of n arrivals needs n + 1 gaps");
  double sum = 0;
  for (const double gap : gaps) sum += gap;
  EVENBENCH_CHECK(sum > 0, "gaps sum to {}", sum);
  std::vector<Nanos> out;
  out.reserve(gaps.size() - 1);
  const auto length = static_cast<double>(span.count());
  double at = 0;
  for (std::size_t i = 0; i + 1 < gaps.size(); ++i) {
    at += gaps[i];
    // The running sum is rounded, not each gap, so that rounding does not drift.
    const auto offset = static_cast<Nanos::rep>(std::llround(length * (at / sum)));
    out.emplace_back(std::min(offset, span.count() - 1));
  }
  return out;
}

std::vector<Nanos> schedule(const Process& process, std::size_t count, Nanos span, Rng& rng) {
  if (count == 0) return {};
  if (process.law == Law::kConstant) {
    std::vector<Nanos> out(count);
    const double gap = static_cast<double>(span.count()) / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = Nanos{std::llround(gap * static_cast<double>(i))};
    }
    return out;
  }
  std::vector<double> gaps(count + 1);
  for (double& gap : gaps) gap = draw_gap(process, rng);
  return schedule_from_gaps(gaps, span);
}

std::size_t offered_count(Rate rate, Nanos span) {
  return static_cast<std::size_t>(std::llround(rate.per_second() * to_seconds(span)));
}

}  // namespace evenbench::arrivals
