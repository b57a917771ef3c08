// What one step will send, decided before the first byte: a value that depends on the spec and the
// seed alone, the same for every system.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arrivals/arrivals.h"
#include "base/outcome.h"
#include "base/rate.h"
#include "base/result.h"
#include "base/time.h"
#include "workload/workload.h"

namespace evenbench::load {

enum class StepKind : std::uint8_t { kLadder, kClosed };
std::string_view name_of(StepKind kind);  // the word in run file and summary: "ladder", "closed"

// How warm-up is asked for: a duration, a share of the measuring window, or a count of requests.
struct Warmup {
  std::optional<Nanos> duration;
  std::optional<double> share;         // 0.10 = 10 % of `measure`
  std::optional<std::uint32_t> count;  // requests
};

// One step as the spec asks for it.
struct StepSpec {
  StepKind kind = StepKind::kLadder;
  // ladder
  Rate rate;
  arrivals::Process arrivals;
  // closed: `concurrency` users, started at `ramp` users per second (0 = one every 25 us), each
  // waiting `think` between the end of one request and the start of its next
  std::uint32_t concurrency = 0;
  double ramp = 0.0;
  workload::DurationSpec think;
  // both
  Warmup warmup;
  std::optional<Nanos> measure;           // either this
  std::optional<std::uint32_t> requests;  // or exactly so many measured requests
  std::uint32_t max_in_flight =
      0;  // open loop only; 0 = no cap. A cap that bites is said and marks the step.
  Nanos cooldown_limit = std::chrono::seconds{
      600};  // after the window, how long to wait for the cohort before cutting it
};

struct PlannedRequest {
  Nanos at{0};  // planned instant from the step's begin; closed loop: meaningless
  Phase phase = Phase::kMeasure;
  workload::Item item;  // prompt id and lengths
};

struct StepPlan {
  StepSpec spec;
  std::uint64_t seed = 0;  // of this step: for draws that are made while it runs (think times)
  std::string
      item_stream;        // closed loop: item k of a phase is workload.item(item_stream + phase, k)
  Nanos window_begin{0};  // from the step's begin
  // From the step's begin; for a closed loop that is counted, or whose warm-up is, the run decides.
  Nanos window_end{0};
  // Open loop: in order of `at`; warm-up, cohort, then cool-down arrivals at the same rate (sent
  // only until the cohort is over). Closed loop: empty, users take items as they come.
  std::vector<PlannedRequest> requests;
  // Requests with phase kMeasure (closed loop by time: 0, not known in advance).
  std::uint32_t cohort = 0;
  [[nodiscard]] Nanos expected_duration() const { return window_end; }
};

// `step_index` numbers the steps of a visit in spec order, so that a rung has the same plan in
// every block order and system; `block` gives every block a new schedule. Prompts are never
// repeated between steps, nor between warm-up and measurement.
Result<StepPlan> plan_step(const StepSpec& spec, const workload::Workload& workload,
                           std::uint64_t seed, std::uint32_t block, std::uint32_t step_index);

}  // namespace evenbench::load
