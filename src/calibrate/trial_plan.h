// The load of one trial: what the null server is told and what the client runs. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "calibrate/calibration.h"
#include "calibrate/search.h"
#include "load/plan.h"

namespace evenbench::calibrate {

struct TrialPlan {
  load::StepSpec step;
  std::vector<std::string> server;     // flags of the null server
  std::uint32_t output_tokens = 0;     // asked for
  std::uint32_t connections = 0;       // opened before the clock starts
  std::uint32_t streams = 0;           // to be under way throughout; 0: as many as it takes
  [[nodiscard]] Nanos length() const;  // of the step
};

// Streams: each with a token every 100 ms. Token rate: over 100 streams, evenly spread. Request
// rate: at even distances, answers of two tokens within 25 ms. `window`: measured.
TrialPlan plan_trial(Quantity quantity, double level, Nanos window);

// Between which levels is searched; `most_streams`: what the open-file limit allows.
SearchRange range_of(Quantity quantity, std::uint32_t most_streams);

}  // namespace evenbench::calibrate
