// What the limits of an engine make of the plan: said by `check` from its command line alone, and
// before the load from all that is known of it.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/run_plan.h"
#include "cli/spec.h"
#include "cli/visit.h"

namespace evenbench::cli {

// Puts a finding for each limit that the plan passes or comes near, as the settings of the visit
// say it. `round_trip`: to the server; nullopt where it was not measured.
void put_limits(const VisitContext& context, const SystemSpec& system,
                std::optional<Nanos> round_trip);

// The same of every launched system, for `check`; "" where nothing is to be said. Error: as
// engine::adapter_named.
Result<std::string> print_limits(const Spec& spec, const RunPlan& plan);

}  // namespace evenbench::cli
