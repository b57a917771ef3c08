#include "cli/visit_build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "cli/image_digest.h"
#include "cli/launch.h"
#include "cli/secret_names.h"
#include "cli/signals.h"
#include "cli/user_folder.h"
#include "cli/version.h"
#include "engine/brief_command.h"
#include "engine/docker.h"
#include "engine/engine_build.h"
#include "engine/engine_build_run.h"
#include "probe/sha256.h"
#include "probe/weights.h"

namespace evenbench::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnknown = "unknown";

// One build, seen from the spec.
struct Build {
  const engine::Adapter* adapter = nullptr;
  engine::BuildRequest request;
  fs::path cache;
};

Result<Build> build_of(const Spec& spec, const SystemSpec& system, const std::string& run) {
  const auto adapter = engine::adapter_named(system.engine);
  if (!adapter) return adapter.error();
  Build out{*adapter,
            {system.build->convert, system.build->args, system.build->program,
             launch_request(spec, system, run)},
            system.build->cache};
  if (auto can = engine::check_build(**adapter, out.request); !can) return can.error();
  if (out.cache.empty()) {
    const auto folder = user_folder("XDG_CACHE_HOME", ".cache", "built engines");
    if (!folder) return folder.error();
    out.cache = *folder / "engines";
  }
  // Docker takes no other for a folder.
  out.cache = fs::absolute(out.cache).lexically_normal();
  return out;
}

bool in_container(const engine::BuildRequest& request) {
  return !request.launch.container.image.empty();
}

// By the Python that the program belongs to: installers put both into one folder.
std::string program_version(const std::string& program, const Clock& clock) {
  constexpr Nanos kLimit = std::chrono::seconds{20};
  const fs::path beside = fs::path(program).parent_path() / "python3";
  std::error_code ignored;
  const bool is_beside = program.find('/') != program.npos && fs::exists(beside, ignored);
  const auto version =
      engine::output_of({is_beside ? beside.string() : "python3", "-c",
                         "import importlib.metadata as m; print(m.version('tensorrt_llm'))"},
                        kLimit, clock);
  if (!version) return kUnknown;
  return "tensorrt_llm " + version->substr(0, version->find_last_not_of(" \r\n") + 1);
}

struct Tools {
  std::string name;     // for people
  std::string grounds;  // and whatever else a built engine depends on
};

// An image that is not here yet has no digest: it is fetched first, not by `docker run` in passing.
Result<Tools> image_tools(const std::string& image, const engine::BuildWatch& watch,
                          const fs::path& log, const Clock& clock) {
  std::string digest = image_digest(image, clock);
  if (digest == kUnknown) {
    if (watch.tell) watch.tell(fmt::format("fetching {}", image));
    engine::BuildCommand pull{"docker pull", {}};
    pull.launch.argv = {"docker", "pull", image};
    pull.launch.log = log;
    if (auto done = engine::run_to_end(pull, watch, clock.now() + watch.limit, clock); !done)
      return done.error();
    digest = image_digest(image, clock);
  }
  return Tools{fmt::format("{} ({})", image, digest), digest == kUnknown ? image : digest};
}

Tools program_tools(const Build& build, const Clock& clock) {
  Tools out{program_version(engine::build_program(*build.adapter, build.request), clock), ""};
  out.grounds = out.name;
  // The conversion is a script that comes with a release: its words do not say which one it is.
  for (const std::string& word : build.request.convert) {
    std::error_code none;
    if (fs::is_regular_file(word, none)) out.grounds += " " + probe::sha256_of(word);
  }
  return out;
}

// Weights, and what a conversion reads of their numbers and shapes.
Result<std::string> weights_of(const std::string& model) {
  std::string out = probe::weights_identity(model).hash;
  if (out.empty()) {
    return environment_error(fmt::format(
        "no weights (*.safetensors, *.bin) were found in {}, so no engine can be built of it",
        model));
  }
  std::vector<fs::path> files;
  std::error_code why;
  for (fs::directory_iterator it(model, why), end; !why && it != end; it.increment(why)) {
    if (it->path().filename().string().ends_with("config.json")) files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files)
    out += fmt::format(" {} {}", file.filename().string(), probe::sha256_of(file));
  return out;
}

std::string hardware(const std::vector<int>& gpus, const Clock& clock) {
  constexpr Nanos kLimit = std::chrono::seconds{20};
  const auto csv = engine::output_of(
      {"nvidia-smi", "--query-gpu=index,name", "--format=csv,noheader"}, kLimit, clock);
  const std::string names = csv ? gpu_names(*csv, gpus) : "";
  return names.empty() ? kUnknown : names;
}

// What may change an engine; a credential does not, and which GPUs it saw is known by their kind.
std::vector<std::pair<std::string, std::string>> env_that_counts(
    const engine::LaunchRequest& from) {
  auto out = from.env;
  std::erase_if(out, [](const auto& variable) {
    return names_secret(variable.first) || variable.first == "CUDA_VISIBLE_DEVICES";
  });
  return out;
}

std::string shown_all(const std::vector<engine::BuildCommand>& commands) {
  std::vector<std::string> lines;
  for (const auto& command : commands) lines.push_back(shown(command.launch.argv));
  return fmt::format("{}", fmt::join(lines, " && "));
}

std::vector<probe::HostFact> facts_of(const SystemSpec& system, const engine::FoundOrBuilt& got,
                                      const std::string& commands, const std::string& tools) {
  const std::string took = fmt::format("built in {:.0f} s", got.engine.seconds);
  std::vector<probe::HostFact> out{
      {"engine_build", got.cached ? fmt::format("cached, {} on {}", took, got.engine.date) : took,
       (got.engine.folder / "build.json").string()},
      {"engine_build_command", commands, "spec"}};
  if (system.converter.empty()) {
    out.push_back({"converter", fmt::format("trtllm-build of {}", tools), "engine build"});
  }
  return out;
}

engine::BuildWatch watch_of(const VisitContext& context, const SystemSpec& system) {
  engine::BuildWatch out;
  out.engine = system.engine;
  out.limit = system.build->limit;
  out.interrupted = [] { return interrupts() > 0; };
  out.tell = [&context](std::string_view text) {
    context.progress->line(fmt::format("  {}", text));
  };
  return out;
}

Result<VisitBuild> built(const VisitContext& context, const SystemSpec& system) {
  const auto build = build_of(*context.spec, system, run_name(context));
  if (!build) return build.error();
  const Clock& clock = *context.clock;
  engine::BuildJob job;
  job.cache = build->cache;
  job.log =
      context.folder / "logs" / fmt::format("build-{}.log", engine::container_name(system.name));
  job.watch = watch_of(context, system);
  const auto weights = weights_of(build->request.launch.model_path);
  if (!weights) return weights.error();
  const auto tools =
      in_container(build->request)
          ? image_tools(build->request.launch.container.image, job.watch, job.log, clock)
          : Result<Tools>(program_tools(*build, clock));
  if (!tools) return tools.error();
  if (tools->name == kUnknown) {
    context.progress->warning(
        fmt::format("{}: the version of its build program is unknown: empty {} when you change it",
                    system.name, job.cache.string()));
  }
  const engine::BuildGrounds grounds{*weights, tools->grounds, hardware(context.spec->gpus, clock),
                                     env_that_counts(build->request.launch)};
  job.key = probe::sha256_of_text(engine::build_identity(*build->adapter, build->request, grounds));
  job.commands = [&](const fs::path& folder) {
    return engine::build_commands(*build->adapter, build->request, folder);
  };
  const fs::path entry = engine::EngineCache(job.cache).entry(job.key);
  const auto commands = job.commands(entry);
  if (!commands) return commands.error();
  const std::string lines = shown_all(*commands);
  job.facts = {{"evenbench", kVersion},
               {"commands", lines},
               {"weights", *weights},
               {"tools", tools->name},
               {"hardware", grounds.hardware}};
  context.progress->line(fmt::format("engine of {}: {}", system.name, lines));
  const auto got = engine::find_or_build(job, clock);
  if (!got) return got.error();
  VisitBuild out{got->engine.folder / engine::kBuiltFolder,
                 facts_of(system, *got, lines, tools->name)};
  context.progress->line(fmt::format("engine of {}: {}", system.name, out.facts.front().value));
  return out;
}

}  // namespace

Result<VisitBuild> build_before(const VisitContext& context, const SystemSpec& system) {
  if (!system.build) return VisitBuild{};
  auto out = built(context, system);
  if (!out) return out.error().in(system.name);
  return out;
}

Result<PlannedBuild> planned_build(const Spec& spec, const SystemSpec& system,
                                   const std::string& run, const std::string& key) {
  if (!system.build) return PlannedBuild{};
  const auto build = build_of(spec, system, run);
  if (!build) return build.error().in(system.name);
  const fs::path entry = engine::EngineCache(build->cache).entry(key);
  auto commands = engine::build_commands(*build->adapter, build->request, entry);
  if (!commands) return commands.error().in(system.name);
  return PlannedBuild{entry / engine::kBuiltFolder, std::move(*commands)};
}

std::string gpu_names(std::string_view csv, const std::vector<int>& numbers) {
  std::vector<std::string> names;
  while (!csv.empty()) {
    const auto line = csv.substr(0, csv.find('\n'));
    csv.remove_prefix(std::min(csv.size(), line.size() + 1));
    const auto comma = line.find(", ");
    int number = -1;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
    if (comma == line.npos || read.ec != std::errc()) continue;
    if (!numbers.empty() && std::ranges::find(numbers, number) == numbers.end()) continue;
    const auto name = line.substr(comma + 2);
    names.emplace_back(name.substr(0, name.find_last_not_of(" \r") + 1));
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace evenbench::cli
