// A plan's peaks beside what was calibrated: whether the client will be exact, and how many workers
// that takes. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/calibration.h"

namespace evenbench::calibrate {

// Of the step that asks for most. nullopt: the plan does not say (what a closed loop is answered,
// or how many streams an open loop holds, is up to the server).
using Peaks = std::array<std::optional<double>, 3>;  // by Quantity

// What a plan may reach for beyond its peaks before it counts as too much: arrivals come in bursts
// and servers answer in them.
inline constexpr double kHeadroom = 1.5;

// One sentence for each known limit that `workers` workers do not have, with both numbers and the
// remedy.
std::vector<std::string> beyond(const Peaks& peaks, const Calibration& calibration,
                                std::uint32_t workers);

struct WorkerChoice {
  std::uint32_t workers = 1;
  std::string why;  // "2500 streams x 1.5, calibrated 2048 streams a worker"
};
// The fewest workers that have every peak with its headroom, and at most one less than `cpus`, for
// the server and everything else. Without a known limit a worker is taken for 500 streams, 20 000
// tokens/s and 1 000 requests/s: well below what one worker had on two cores of a small virtual
// machine.
WorkerChoice workers_for(const Peaks& peaks, const std::optional<Calibration>& calibration,
                         std::uint32_t cpus);

}  // namespace evenbench::calibrate
