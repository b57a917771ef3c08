#include "calibrate/headroom.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace evenbench::calibrate {
namespace {

constexpr std::array kUncalibrated = {500.0, 20'000.0, 1'000.0};

std::string count_of(std::uint32_t workers) {
  return fmt::format("{} worker{}", workers, workers == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> beyond(const Peaks& peaks, const Calibration& calibration,
                                std::uint32_t workers) {
  std::vector<std::string> out;
  for (const Quantity quantity : kQuantities) {
    const auto& peak = peaks[static_cast<std::size_t>(quantity)];
    const double limit = calibration.per_worker(quantity) * workers;
    if (!peak || !calibration.limit(quantity).known()) continue;
    if (*peak * kHeadroom <= limit) continue;
    out.push_back(fmt::format(
        "the plan asks for {}, with headroom {}, but with {} this machine's client is known to be "
        "exact up to {} only; use more workers (--workers), --realtime or another host",
        text_of(quantity, *peak), text_of(quantity, *peak * kHeadroom), count_of(workers),
        text_of(quantity, limit)));
  }
  return out;
}

WorkerChoice workers_for(const Peaks& peaks, const std::optional<Calibration>& calibration,
                         std::uint32_t cpus) {
  const double most = std::max(1.0, static_cast<double>(cpus) - 1);
  double needed = 1;
  WorkerChoice out;
  out.why = "one has what the plan asks for";
  for (const Quantity quantity : kQuantities) {
    const auto index = static_cast<std::size_t>(quantity);
    if (!peaks[index]) continue;
    const bool known = calibration && calibration->limit(quantity).known();
    const double each = known ? calibration->per_worker(quantity) : kUncalibrated[index];
    const double workers = std::ceil(*peaks[index] * kHeadroom / each);  // infinity where none held
    if (workers <= needed) continue;
    needed = workers;
    out.why = fmt::format("{} x {:g} at {} a worker, {}", text_of(quantity, *peaks[index]),
                          kHeadroom, text_of(quantity, each),
                          known ? "as calibrated" : "as no calibration says otherwise");
  }
  if (needed > most) out.why += fmt::format("; no more than {:.0f} for {} CPUs", most, cpus);
  out.workers = static_cast<std::uint32_t>(std::min(needed, most));
  return out;
}

}  // namespace evenbench::calibrate
