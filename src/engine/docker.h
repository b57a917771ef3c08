// Launch in a container: the engine's own command line put behind `docker run`. The container has
// the name that the tool gave it, and is removed by that name whatever becomes of the launch.
#pragma once

#include "engine/adapter.h"

namespace evenbench::engine {

// The command line of a launch, native or (where request.container names an image) in Docker.
// Error: usage, from the engine's own template.
Result<LaunchCommand> launch_command(const Adapter& adapter, const LaunchRequest& request);

// A name that Docker takes, from any text: other bytes than letters, digits, '_', '.' and '-'
// become '-'.
std::string container_name(std::string_view text);

}  // namespace evenbench::engine
