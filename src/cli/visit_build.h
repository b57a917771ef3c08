// The engine of a system that is built before its launch: from the spec to a folder that can be
// served. Knows nothing of how it is served.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/spec.h"
#include "cli/visit.h"
#include "engine/engine_build.h"
#include "probe/host.h"

namespace evenbench::cli {

struct VisitBuild {
  std::filesystem::path engine;        // empty: the system builds nothing
  std::vector<probe::HostFact> facts;  // for the visit's manifest
};

// Builds the engine of the visit's system, or takes it from the cache; waits as long as that takes.
// Error: usage, environment (explained), or interrupted; each names the system.
Result<VisitBuild> build_before(const VisitContext& context, const SystemSpec& system);

struct PlannedBuild {
  std::filesystem::path engine;
  std::vector<engine::BuildCommand> commands;  // none: the system builds nothing
};
// As it would be with `key`, nothing looked at. Error: usage or environment, names the system.
Result<PlannedBuild> planned_build(const Spec& spec, const SystemSpec& system,
                                   const std::string& run, const std::string& key);

// The names in what `nvidia-smi --query-gpu=index,name --format=csv,noheader` says, of the GPUs
// that are numbered (none: of all), in their order.
std::string gpu_names(std::string_view csv, const std::vector<int>& numbers);

}  // namespace evenbench::cli
