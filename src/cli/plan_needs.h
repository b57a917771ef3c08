// What a plan asks of a server, in the numbers that its limits are held against.
#pragma once

#include "audit/limits.h"
#include "cli/run_plan.h"
#include "cli/spec.h"

namespace evenbench::cli {

// The longest of a closed loop is that of its first thousand requests: the rest is drawn while it
// runs. Lengths that the spec does not state count as nothing.
audit::PlanNeeds needs_of(const Spec& spec, const RunPlan& plan);

}  // namespace evenbench::cli
