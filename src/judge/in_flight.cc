#include "judge/in_flight.h"

#include <algorithm>

#include "judge/seconds.h"

namespace evenbench::judge {

InFlight::InFlight(MonoTime origin, MonoTime end)
    : origin_(origin), end_(end), part_(seconds_between(origin, end)), filled_(part_.size() + 1) {}

void InFlight::add(MonoTime from, MonoTime to) {
  if (part_.empty() || !observed(from)) return;
  from = std::clamp(from, origin_, end_);
  to = std::clamp(to, from, end_);
  if (to == from) return;
  steps_.push_back({from, +1});
  steps_.push_back({to, -1});
  const std::size_t first = second_of_start(origin_, from);
  const std::size_t last = second_of_end(origin_, to);
  if (first == last) {
    add_part(first, to - from);
    return;
  }
  add_part(first, end_of_second(origin_, first) - from);
  add_part(last, to - end_of_second(origin_, last - 1));
  filled_[first + 1] += 1.0;
  filled_[last] -= 1.0;
}

void InFlight::add_part(std::size_t second, Nanos open) {
  part_[second] += to_seconds(open);
}

std::vector<double> InFlight::mean_per_second() const {
  std::vector<double> out;
  out.reserve(part_.size());
  double filled = 0.0;
  for (std::size_t i = 0; i < part_.size(); ++i) {
    filled += filled_[i];
    const MonoTime begin = end_of_second(origin_, i) - std::chrono::seconds{1};
    const double length = to_seconds(std::min(end_of_second(origin_, i), end_) - begin);
    out.push_back(filled + part_[i] / length);
  }
  return out;
}

std::uint64_t InFlight::peak() const {
  std::vector<Step> steps = steps_;
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) {
    return a.at != b.at ? a.at < b.at : a.change < b.change;
  });
  std::int64_t open = 0;
  std::int64_t most = 0;
  for (const Step& step : steps) most = std::max(most, open += step.change);
  return static_cast<std::uint64_t>(most);
}

}  // namespace evenbench::judge
