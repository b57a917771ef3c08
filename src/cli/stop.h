// The end of a visit to a launched system: stop it, wait at the gate, say what is left and what
// follows from that. Knows nothing of how a visit began.
#pragma once

#include "base/result.h"
#include "cli/visit.h"
#include "engine/child_process.h"

namespace evenbench::cli {

// What an engine of this run has left behind, for as long as the gate after a visit finds it.
struct Leftovers {
  std::string what;   // "" = nothing
  std::string whose;  // "vllm, visit 1"
};

// Marks the visit when it begins among the leftovers of an earlier one.
void say_if_tainted(const VisitContext& context);

// Error: environment, when something is left and the spec says on_leak: stop.
Result<void> stop_and_pass_gate(const VisitContext& context, const SystemSpec& system,
                                engine::ChildProcess& child);

}  // namespace evenbench::cli
