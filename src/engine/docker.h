// Launch in a container: the engine's own command line put behind `docker run`. The container has
// the name that the tool gave it, and is removed by that name whatever becomes of the launch.
#pragma once

#include "engine/adapter.h"

namespace evenbench::engine {

// The command line of a launch, native or (where request.container names an image) in Docker.
// Error: usage, from the engine's own template.
Result<LaunchCommand> launch_command(const Adapter& adapter, const LaunchRequest& request);

// A folder or file of this machine as a container sees it.
struct Mount {
  std::string inside;
  std::vector<std::string> options;  // of `docker run`; empty: a name on a model hub, not mounted
};
Mount model_mount(const std::string& model);

// Something that is run to its end before the launch, in a container of the same image, GPUs,
// options and environment.
struct ContainerJob {
  std::string name;  // the container's
  std::vector<std::string> mounts;
  std::vector<std::string> argv;
};
// Error: usage, as launch_command.
Result<LaunchCommand> job_command(const Adapter& adapter, const LaunchRequest& request,
                                  const ContainerJob& job);

// A name that Docker takes, from any text: other bytes than letters, digits, '_', '.' and '-'
// become '-'.
std::string container_name(std::string_view text);

}  // namespace evenbench::engine
