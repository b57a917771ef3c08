// Whether the client will be exact enough for a plan on this machine, and with how many workers it
// runs. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "calibrate/headroom.h"
#include "cli/calibration_file.h"
#include "cli/run_plan.h"
#include "cli/spec.h"

namespace evenbench::cli {

// What the step that asks for most asks for; without streaming there is no token rate.
calibrate::Peaks peaks_of(const Spec& spec, const RunPlan& plan);

struct Capacity {
  std::uint32_t workers = 1;
  std::string workers_why;            // "as asked", "auto: ..."
  std::vector<std::string> warnings;  // finding beyond_calibration, one a limit
  std::string note;                   // why nothing was compared; "" if it was
};
// `allowed`: the CPUs that this process may use, empty where that is not known.
Capacity capacity_of(const Spec& spec, const RunPlan& plan, const KnownCalibration& known,
                     const std::vector<int>& allowed);

// Whether the workers can be put on the CPUs that were named for them; `allowed` as above. Error:
// environment, names those that are not among them.
Result<void> cpus_can_be_had(const ClientSpec& client, const std::vector<int>& allowed);

// As `check` shows it, whole lines.
std::string print_capacity(const Capacity& capacity);

}  // namespace evenbench::cli
