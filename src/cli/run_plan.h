// From a spec to what will happen: visits in order, steps with their plans, expected times. Pure;
// `check` prints it, `run` follows it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/spec.h"
#include "load/plan.h"

namespace evenbench::cli {

struct PlannedVisit {
  std::uint32_t block = 1;  // from 1
  std::size_t system = 0;   // index into Spec::systems
};

struct RunPlan {
  std::vector<PlannedVisit> visits;  // in order of time
  // Steps of block b (from 1) are plans[b - 1]: the same for every system of the block, in spec
  // order.
  std::vector<std::vector<load::StepPlan>> plans;
  Nanos expected{0};  // load alone: without starts and stops of engines
};

Result<RunPlan> plan_run(const Spec& spec);

// What a step is called in messages: "12 requests/s", "closed loop, 64 users".
std::string describe(const load::StepSpec& step);
// The plan as text for people.
std::string print_plan(const Spec& spec, const RunPlan& plan);

}  // namespace evenbench::cli
