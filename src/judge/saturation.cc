// Whether more came in than went out. Two rules, each with its false alarms: see docs/metrics.md.
#include <fmt/format.h>

#include <cmath>

#include "judge/verdict.h"
#include "stats/moments.h"
#include "stats/trend.h"

namespace evenbench::judge {
namespace {

constexpr double kSaturatedShare = 0.90;
constexpr double kLaggingShare = 0.95;
constexpr double kGrowthOfRate = 0.02;  // requests/s more in flight, per request/s of load
constexpr double kTrendWindowS = 60.0;  // shorter series have a slope by chance
constexpr double kBothRulesWindowS = 120.0;
constexpr std::size_t kTrendPoints = 600;

// Served less than `share` of what arrived, in the whole window and in its second half alone: a
// queue that fills up once, at the beginning, is not overload. The number in flight of a stable
// system varies by about its square root, and so do refusals; in a short window that is many
// percent of the arrivals.
bool serves_less_than(double share, const WindowFlow& flow) {
  const auto arrived = static_cast<double>(flow.arrived);
  const auto served = static_cast<double>(flow.served);
  const double by_chance =
      2.0 *
      std::sqrt(static_cast<double>(flow.waiting_at_begin + flow.waiting_at_end + flow.refused));
  return served < share * arrived && arrived - served > by_chance &&
         static_cast<double>(flow.served_late) < share * static_cast<double>(flow.arrived_late);
}

std::vector<double> thinned(const std::vector<double>& series, std::size_t each) {
  std::vector<double> out;
  for (std::size_t i = 0; i + each <= series.size(); i += each) {
    stats::Moments moments;
    for (std::size_t k = 0; k < each; ++k) moments.add(series[i + k]);
    out.push_back(*moments.mean());
  }
  return out;
}

// Growth of the number in flight per second, where it is more than chance.
std::optional<double> growth(const JudgedStep& step, const WindowFlow& flow) {
  if (step.window_s < kTrendWindowS || flow.in_flight.size() < 2) return std::nullopt;
  const std::size_t each = flow.in_flight.size() / kTrendPoints + 1;
  const auto slope = stats::theil_sen_slope(thinned(flow.in_flight, each));
  if (!slope) return std::nullopt;
  const double per_second = *slope / static_cast<double>(each);
  stats::Moments moments;
  for (const double n : flow.in_flight) moments.add(n);
  const double rate = static_cast<double>(flow.arrived) / step.window_s;
  const bool fast = per_second > kGrowthOfRate * rate;
  const bool beyond_chance = per_second * step.window_s > 2.0 * std::sqrt(*moments.mean());
  return fast && beyond_chance ? std::optional(per_second) : std::nullopt;
}

// A window that is shorter than two of the quickest answers ends before a system at rest could have
// served what arrived in it.
bool too_short_to_tell(const JudgedStep& step) {
  return step.e2e_service.min && step.window_s * 1e3 < 2.0 * *step.e2e_service.min;
}

}  // namespace

void mark_saturation(const JudgedStep& step, const StepFacts& facts, Marks& marks) {
  if (!facts.open_loop || step.window_s <= 0.0 || cap_bit(step, facts)) return;
  if (too_short_to_tell(step)) return;
  const WindowFlow& flow = facts.flow;
  const bool lagging = serves_less_than(kLaggingShare, flow);
  const auto grows = growth(step, flow);
  if (!lagging && !grows) return;
  const bool saturated = serves_less_than(kSaturatedShare, flow) ||
                         (lagging && grows && step.window_s >= kBothRulesWindowS);
  std::string reason = fmt::format(
      "{:.2f}/s arrived and {:.2f}/s were served; {} waited or ran when the window began, {} when "
      "it ended",
      static_cast<double>(flow.arrived) / step.window_s,
      static_cast<double>(flow.served) / step.window_s, flow.waiting_at_begin, flow.waiting_at_end);
  if (grows) reason += fmt::format(" (growing by {:.2f} a second)", *grows);
  if (saturated) {
    reason += fmt::format(
        ": the load is more than the system can serve, and its latencies grow with the length of "
        "the window ({:.0f} s)",
        step.window_s);
  }
  marks.mark(saturated ? Label::kSaturated : Label::kSuspect, std::move(reason));
}

}  // namespace evenbench::judge
