#include "engine/docker.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace evenbench::engine {
namespace {

constexpr const char* kModelFolder = "/model";
constexpr const char* kEngineFolder = "/engine";

// A path of this machine, not a name on a model hub ("owner/name").
bool is_path(const std::string& model) {
  return model.starts_with('/') || model.starts_with("./") || model.starts_with("../");
}

bool is_file(const std::string& path) {
  return std::filesystem::path(path).extension() == ".gguf";
}

// `docker run --gpus` reads its value as CSV: several devices need quotes of their own.
std::string gpus_value(const std::vector<int>& gpus) {
  if (gpus.empty()) return "all";
  if (gpus.size() == 1) return fmt::format("device={}", gpus.front());
  return fmt::format("\"device={}\"", fmt::join(gpus, ","));
}

// `docker run` options that the launch sets itself, or that would undo what it relies on: a client
// that stays, a container that is removed by its name, no value of a variable on a command line.
constexpr std::array<std::string_view, 11> kOurs = {
    "--name", "--gpus", "--publish", "-p",         "--detach",    "-d",
    "--rm",   "--env",  "-e",        "--env-file", "--entrypoint"};

Result<void> takes(const std::vector<std::string>& options) {
  for (const std::string& word : options) {
    const bool is_short = word.starts_with('-') && !word.starts_with("--");  // "-eNAME=value"
    const auto option = std::string_view(word).substr(0, is_short ? 2 : word.find('='));
    if (std::ranges::find(kOurs, option) == kOurs.end()) continue;
    return usage_error(fmt::format(
        "launch.options: {} is set by evenbench itself; take it out and use port, host, env of the "
        "system or hardware.gpus",
        option));
  }
  return {};
}

// What one `docker run` has that others of the same launch have not.
struct Run {
  std::string name;
  std::vector<std::string> published;
  std::vector<std::string> mounts;
  std::vector<std::string> argv;  // behind the image
};

Result<LaunchCommand> docker_run(const Adapter& adapter, const LaunchRequest& request,
                                 const Run& run) {
  const Container& container = request.container;
  if (auto taken = takes(container.options); !taken) return taken.error();
  LaunchCommand out;
  out.argv = {"docker", "run", "--name", run.name, "--gpus", gpus_value(container.gpus)};
  const auto add = [&](const std::vector<std::string>& words) {
    out.argv.insert(out.argv.end(), words.begin(), words.end());
  };
  add(adapter.docker_options);
  add(run.published);
  // By name: a value on the command line would be seen by every user of the machine.
  for (const auto& [name, value] : request.env) add({"--env", name});
  add(run.mounts);
  add(container.options);
  add({container.image});
  add(run.argv);
  out.env = request.env;
  // Not --rm: what has ended stays to be looked at until it is removed by its name.
  out.afterwards = {"docker", "rm", "--force", run.name};
  return out;
}

Result<LaunchCommand> docker_command(const Adapter& adapter, const LaunchRequest& request) {
  Mount model = model_mount(request.model_path);
  LaunchRequest inside = request;
  inside.native.clear();
  inside.host = "0.0.0.0";  // its own: only the published port leads to it
  inside.model_path = model.inside;
  if (!request.engine_folder.empty()) {
    inside.engine_folder = kEngineFolder;
    model.options.insert(
        model.options.end(),
        {"--volume", fmt::format("{}:{}:ro", request.engine_folder, kEngineFolder)});
  }
  auto own = adapter.native_command(inside);
  if (!own) return own.error();
  return docker_run(
      adapter, request,
      {request.container.name,
       {"--publish", fmt::format("{}:{}:{}", request.host, request.port, request.port)},
       model.options,
       {own->argv.begin() + static_cast<std::ptrdiff_t>(adapter.image_program_words),
        own->argv.end()}});
}

}  // namespace

Mount model_mount(const std::string& model) {
  if (!is_path(model)) return {model, {}};
  const auto path = std::filesystem::absolute(model).lexically_normal();
  const auto folder = is_file(model) ? path.parent_path() : path;
  const std::string inside =
      is_file(model) ? fmt::format("{}/{}", kModelFolder, path.filename().string()) : kModelFolder;
  return {inside, {"--volume", fmt::format("{}:{}:ro", folder.string(), kModelFolder)}};
}

Result<LaunchCommand> job_command(const Adapter& adapter, const LaunchRequest& request,
                                  const ContainerJob& job) {
  return docker_run(adapter, request, {job.name, {}, job.mounts, job.argv});
}

Result<LaunchCommand> launch_command(const Adapter& adapter, const LaunchRequest& request) {
  if (!request.container.image.empty()) return docker_command(adapter, request);
  auto command = adapter.native_command(request);
  if (command) command->env = request.env;
  return command;
}

std::string container_name(std::string_view text) {
  std::string out(text);
  std::ranges::replace_if(
      out,
      [](char c) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        return !plain && c != '_' && c != '.' && c != '-';
      },
      '-');
  return out;
}

}  // namespace evenbench::engine
