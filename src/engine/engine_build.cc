#include "engine/engine_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/docker.h"

namespace evenbench::engine {
namespace {

constexpr std::string_view kModelPlace = "{model}";
constexpr std::string_view kCheckpointPlace = "{checkpoint}";
constexpr const char* kWorkFolder = "/build";  // in a container

constexpr std::array<std::string_view, 2> kOurs = {"--checkpoint_dir", "--output_dir"};

bool has_place(const std::vector<std::string>& words, std::string_view place) {
  return std::ranges::any_of(
      words, [&](const std::string& word) { return word.find(place) != std::string::npos; });
}

std::string with_place(std::string word, std::string_view place, const std::string& value) {
  for (auto at = word.find(place); at != std::string::npos;
       at = word.find(place, at + value.size())) {
    word.replace(at, place.size(), value);
  }
  return word;
}

// Its parser takes a beginning of an option for the option.
Result<void> leaves_folders_alone(const std::vector<std::string>& args) {
  for (const std::string& word : args) {
    const auto option = std::string_view(word).substr(0, word.find('='));
    if (!option.starts_with("--") || option.size() == 2) continue;
    const auto ours = std::ranges::find_if(
        kOurs, [&](std::string_view each) { return each.starts_with(option); });
    if (ours == kOurs.end()) continue;
    return usage_error(fmt::format(
        "build.args: {} is set by evenbench itself, to folders of its cache; take {} out", *ours,
        option));
  }
  return {};
}

struct Step {
  const char* name;
  std::string what;
  std::vector<std::string> argv;
};

// `model` and `folder` as the programs see them.
std::vector<Step> steps_of(const Adapter& adapter, const BuildRequest& request,
                           const std::string& model, const std::string& folder) {
  std::vector<Step> out;
  std::string checkpoint = model;
  if (!request.convert.empty()) {
    checkpoint = fmt::format("{}/{}", folder, kCheckpointFolder);
    out.push_back({"convert", fmt::format("build.convert ({})", request.convert.front()), {}});
    for (const std::string& word : request.convert) {
      out.back().argv.push_back(
          with_place(with_place(word, kModelPlace, model), kCheckpointPlace, checkpoint));
    }
  }
  const std::string program = build_program(adapter, request);
  out.push_back({"build",
                 program,
                 {program, "--checkpoint_dir", checkpoint, "--output_dir",
                  fmt::format("{}/{}", folder, kBuiltFolder)}});
  out.back().argv.insert(out.back().argv.end(), request.args.begin(), request.args.end());
  return out;
}

}  // namespace

std::string build_program(const Adapter& adapter, const BuildRequest& request) {
  if (!request.program.empty()) return request.program;
  const std::string& server = request.launch.native;
  if (server.find('/') == server.npos) return adapter.build_program;
  return (std::filesystem::path(server).parent_path() / adapter.build_program).string();
}

Result<void> check_build(const Adapter& adapter, const BuildRequest& request) {
  if (adapter.build_program.empty()) {
    return usage_error(
        fmt::format("build: {} serves a checkpoint as it is; take build out", adapter.title));
  }
  if (model_mount(request.launch.model_path).options.empty()) {
    return usage_error(fmt::format(
        "build: the model must be a folder of this machine, beginning with /, ./ or ../, not '{}'; "
        "download it first and set model.path",
        request.launch.model_path));
  }
  if (!request.convert.empty() &&
      (!has_place(request.convert, kModelPlace) || !has_place(request.convert, kCheckpointPlace))) {
    return usage_error(
        "build.convert: it must say where the model and the checkpoint go, by the words {model} "
        "and {checkpoint}");
  }
  return leaves_folders_alone(request.args);
}

std::string build_identity(const Adapter& adapter, const BuildRequest& request,
                           const BuildGrounds& grounds) {
  // JSON, so that no two lists of words look alike.
  const nlohmann::json out = {{"engine", adapter.name},
                              {"convert", request.convert},
                              {"program", build_program(adapter, request)},
                              {"args", request.args},
                              {"image", request.launch.container.image},
                              {"container_options", request.launch.container.options},
                              {"weights", grounds.weights},
                              {"tools", grounds.tools},
                              {"hardware", grounds.hardware},
                              {"env", grounds.env}};
  return out.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Result<std::vector<BuildCommand>> build_commands(const Adapter& adapter,
                                                 const BuildRequest& request,
                                                 const std::filesystem::path& folder) {
  if (auto can = check_build(adapter, request); !can) return can.error();
  const LaunchRequest& launch = request.launch;
  const bool native = launch.container.image.empty();
  const Mount model = model_mount(launch.model_path);
  std::vector<BuildCommand> out;
  for (const Step& step : steps_of(adapter, request, native ? launch.model_path : model.inside,
                                   native ? folder.string() : kWorkFolder)) {
    BuildCommand command{step.what, {}};
    if (native) {
      command.launch.argv = step.argv;
      command.launch.env = launch.env;
    } else {
      ContainerJob job{fmt::format("{}-{}", launch.container.name, step.name), model.options,
                       step.argv};
      job.mounts.insert(job.mounts.end(),
                        {"--volume", fmt::format("{}:{}", folder.string(), kWorkFolder)});
      auto run = job_command(adapter, launch, job);
      if (!run) return run.error();
      command.launch = std::move(*run);
    }
    out.push_back(std::move(command));
  }
  return out;
}

}  // namespace evenbench::engine
