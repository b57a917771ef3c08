// What can be known of a system's settings before it runs: from the spec, its command line, and
// the configuration file that this names.
#pragma once

#include <filesystem>

#include "cli/spec.h"
#include "engine/adapter.h"
#include "engine/settings.h"

namespace evenbench::cli {

// `built`: as of launch_of.
engine::Evidence launch_evidence(const Spec& spec, const SystemSpec& system,
                                 const engine::Adapter& adapter,
                                 const std::filesystem::path& built);

}  // namespace evenbench::cli
