#include "cli/launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/secret_names.h"
#include "cli/visit_build.h"
#include "engine/adapter.h"
#include "engine/docker.h"

namespace evenbench::cli {

const std::string& model_path_of(const Spec& spec, const SystemSpec& system) {
  return system.model_path.empty() ? spec.model.path : system.model_path;
}

const std::string& model_name_of(const Spec& spec, const SystemSpec& system) {
  return system.model_name.empty() ? spec.model.name : system.model_name;
}

engine::LaunchRequest launch_request(const Spec& spec, const SystemSpec& system,
                                     const std::string& run) {
  engine::LaunchRequest request;
  request.native = system.engine == "sim" ? system.profile : system.native;
  request.model_path = model_path_of(spec, system);
  request.served_name = model_name_of(spec, system);
  request.host = system.host;
  request.port = system.port;
  request.dtype = spec.model.dtype;
  request.args = system.args;
  for (const auto& [name, value] : system.env) request.env.emplace_back(name, value);
  if (!system.docker.empty()) {
    request.container.image = system.docker;
    request.container.name =
        engine::container_name(fmt::format("evenbench-{}-{}", run, system.name));
    request.container.gpus = spec.gpus;
    request.container.options = system.docker_options;
  } else if (!spec.gpus.empty() && system.engine != "sim" &&
             !system.env.contains("CUDA_VISIBLE_DEVICES")) {
    request.env.emplace_back("CUDA_VISIBLE_DEVICES", fmt::format("{}", fmt::join(spec.gpus, ",")));
  }
  return request;
}

Result<engine::LaunchCommand> launch_of(const Spec& spec, const SystemSpec& system,
                                        const std::string& run,
                                        const std::filesystem::path& built) {
  const auto adapter = engine::adapter_named(system.engine);
  if (!adapter) return adapter.error();
  engine::LaunchRequest request = launch_request(spec, system, run);
  request.engine_folder = built.string();
  auto command = engine::launch_command(**adapter, request);
  if (!command) return command.error().in(system.name);
  return command;
}

std::string shown(const std::vector<std::string>& argv) {
  std::string out;
  for (const std::string& word : without_secret_values(argv)) {
    const bool plain =
        word.find_first_of(" \t\"'\\$&|;<>(){}*?") == std::string::npos && !word.empty();
    if (!out.empty()) out += ' ';
    out += plain ? word : "'" + word + "'";
  }
  return out;
}

Result<std::string> print_launches(const Spec& spec) {
  std::string out;
  for (const SystemSpec& system : spec.systems) {
    if (!system.launched) continue;
    const auto build = planned_build(spec, system, "RUN", "KEY");
    if (!build) return build.error();
    const auto command = launch_of(spec, system, "RUN", build->engine);
    if (!command) return command.error();
    if (out.empty()) out = "launches\n";
    out += fmt::format("  {}: {}\n", system.name, shown(command->argv));
    for (const auto& [name, value] : command->env) {
      out += fmt::format("    with {}={}\n", name, names_secret(name) ? kHidden : value);
    }
    if (build->commands.empty()) continue;
    out += "    its engine is built first, unless it is in the cache, by\n";
    for (const auto& built_by : build->commands)
      out += fmt::format("      {}\n", shown(built_by.launch.argv));
  }
  return out;
}

}  // namespace evenbench::cli
