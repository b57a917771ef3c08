// How a system of a spec is launched: the spec's words put into the engine's own.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "cli/spec.h"
#include "engine/adapter.h"

namespace evenbench::cli {

// What holds for a system: its own, else the common one of the spec.
const std::string& model_path_of(const Spec& spec, const SystemSpec& system);
const std::string& model_name_of(const Spec& spec, const SystemSpec& system);

// `run`: what the run is called; a container's name is made of it.
engine::LaunchRequest launch_request(const Spec& spec, const SystemSpec& system,
                                     const std::string& run);

// `built`: folder of the engine that was built for it; empty where nothing is. The log is left to
// the caller. Error: usage, names the system.
Result<engine::LaunchCommand> launch_of(const Spec& spec, const SystemSpec& system,
                                        const std::string& run, const std::filesystem::path& built);

// A command line as one would type it into a shell, values of secrets hidden.
std::string shown(const std::vector<std::string>& argv);

// For `check`: the command line of every launched system, and those of the build before it. Error:
// as launch_of.
Result<std::string> print_launches(const Spec& spec);

}  // namespace evenbench::cli
