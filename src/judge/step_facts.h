// What only the label of a step and its reasons need: how the client kept the plan, how the queue
// grew, what the answers were like. The numbers that are published stand in JudgedStep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/latency_samples.h"

namespace evenbench::judge {

// How the client kept to the plan of the cohort.
struct ClientFacts {
  // Begun: sent, or a connection for it tried. Late counts up to there, so that a slow or refused
  // handshake is not the client's fault.
  std::uint64_t begun = 0;
  std::optional<double> plan_rate;  // of the planned instants of those that were sent
  std::uint32_t max_in_flight = 0;  // cap asked for
  std::uint64_t peak_in_flight = 0;
  bool kernel_stamps = false;  // the numbers are made of them
};

// What came into the measuring window and what left it. Refused requests are never served.
struct WindowFlow {
  std::uint64_t arrived = 0, served = 0;
  std::uint64_t arrived_late = 0, served_late = 0;  // in the second half of the window
  std::uint64_t refused = 0;
  std::uint64_t waiting_at_begin = 0, waiting_at_end = 0;
  std::vector<double> in_flight;  // mean of every whole second inside the window
};

// How long the answers were against what was asked.
struct LengthFacts {
  std::uint64_t output_given = 0, output_asked = 0;  // over good requests with both
  std::uint64_t stopped_short = 0;  // fewer than asked, and the server called it its limit
  std::uint64_t input_counted = 0, input_asked = 0;  // over good requests with both
};

struct StepFacts {
  bool open_loop = false;
  bool finished = false;
  std::string note;
  std::uint64_t cut = 0;            // of the cohort
  std::uint64_t rows = 0;           // of the cohort
  std::uint64_t unknown_count = 0;  // good requests without a count of output tokens
  double failed_events = 0.0;       // token events of failed requests inside the window
  Unmeasured unmeasured;
  ClientFacts client;
  WindowFlow flow;
  LengthFacts lengths;
};

}  // namespace evenbench::judge
