// Runs one trial: a null server, the transports and the step runner of a real run, a run file; then
// holds the two sides' instants together.
#pragma once

#include <cstdint>
#include <filesystem>

#include "base/result.h"
#include "calibrate/tally.h"
#include "calibrate/trial_plan.h"

namespace evenbench::calibrate {

struct TrialPlace {
  const Clock* clock = nullptr;
  std::filesystem::path folder;  // its files, gone when it returns
  std::uint32_t workers = 1;
};

// Error: environment; the server, the sockets or the disk.
Result<Seen> run_trial(const TrialPlan& plan, const TrialPlace& place);

}  // namespace evenbench::calibrate
