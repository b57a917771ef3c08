// Finds the three limits of a client, one after another, within a given time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"
#include "calibrate/calibration.h"
#include "calibrate/tally.h"
#include "calibrate/trial_plan.h"

namespace evenbench::calibrate {

struct CalibrateOptions {
  Nanos budget = std::chrono::seconds{60};  // for all of it
  std::uint32_t most_streams = 4096;
  std::function<Result<Seen>(const TrialPlan&)> run;  // one trial
  std::function<bool()> interrupted;
  std::function<void(const std::string&)> tell;  // trial by trial, one line
};

// Fills the limits of `out`. Each search has a third of the time and what those before it left.
// Error: that of a trial, or interrupted.
Result<void> find_limits(const CalibrateOptions& options, const Clock& clock, Calibration& out);

}  // namespace evenbench::calibrate
