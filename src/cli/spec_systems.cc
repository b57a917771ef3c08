// The `systems` part of a spec.
#include <fmt/format.h>

#include <set>

#include "cli/spec_yaml.h"
#include "cli/units.h"
#include "engine/adapter.h"
#include "sim/engine_model.h"
#include "wire/request.h"

namespace evenbench::cli {
namespace {

void read_launch(Fields& system, SystemSpec& out) {
  Fields launch(system.node("launch"), system.name("launch"), {"native", "docker", "options"},
                system.complaints());
  out.launched = true;
  if (const auto image = launch.text("docker")) out.docker = *image;
  if (const auto program = launch.text("native")) out.native = *program;
  out.docker_options = launch.texts("options");
  if (launch.has("docker") && launch.has("native")) {
    launch.complain_here("launch has both docker and native; keep one");
  } else if (launch.has("options") && !launch.has("docker")) {
    launch.complain(launch.node("options"), "launch.options are those of docker run: state docker");
  }
}

void read_attach(Fields& system, SystemSpec& out) {
  Fields attach(system.node("attach"), system.name("attach"), {"url"}, system.complaints());
  const auto url = attach.text("url");
  if (!url) {
    out.address_from_env = !attach.has("url");
    return;
  }
  if (const auto endpoint = wire::parse_endpoint(*url); !endpoint) {
    attach.complain(attach.node("url"), endpoint.error().message);
  }
  out.attach_url = *url;
}

// By an address that is stated, or that the environment will give.
bool attached(const SystemSpec& system) {
  return !system.attach_url.empty() || system.address_from_env;
}

void read_engine(Fields& system, SystemSpec& out) {
  const auto engine = system.one_of("engine", engine::adapter_names());
  if (!engine) {
    if (!system.has("engine")) {
      system.complain_here(fmt::format("a system needs an engine: one of {}",
                                       fmt::join(engine::adapter_names(), ", ")));
    }
    return;
  }
  out.engine = *engine;
  if (const auto profile = system.text("profile")) {
    out.profile = *profile;
    if (out.engine != "sim") {
      system.complain(system.node("profile"), "profile is only for engine: sim");
    } else if (const auto known = sim::profile_named(*profile); !known) {
      system.complain(system.node("profile"), known.error().message);
    }
  }
  if (out.engine == "sim" && !attached(out)) {
    out.launched = true;
    if (out.profile.empty()) out.profile = "vllm";
  }
}

void read_build(Fields& system, SystemSpec& out) {
  Fields build(system.node("build"), system.name("build"),
               {"convert", "args", "program", "cache", "limit"}, system.complaints());
  BuildSpec read;
  read.convert = build.texts("convert");
  read.args = build.texts("args");
  read.program = build.text("program").value_or("");
  read.cache = build.text("cache").value_or("");
  read.limit = build.duration("limit").value_or(read.limit);
  const auto adapter = engine::adapter_named(out.engine);
  if (adapter && ((*adapter)->build_program.empty() || !out.launched)) {
    system.complain(system.node("build"),
                    "build is for a launched TensorRT-LLM only (engine: trtllm)");
  }
  out.build = std::move(read);
}

void check_way_to_reach(Fields& system, const SystemSpec& out) {
  if (out.launched && attached(out)) {
    system.complain_here(fmt::format("system '{}' has both launch and attach; keep one", out.name));
    return;
  }
  if (!out.launched && !attached(out)) {
    system.complain_here(fmt::format(
        "system '{}' needs launch: {{ native: ... }} or attach: {{ url: ... }}", out.name));
    return;
  }
  if (out.launched && out.remote) {
    system.complain(system.node("remote"), "remote is of attached systems: a launched one is here");
  }
  if (out.engine.empty() || !out.launched) return;
  const auto adapter = engine::adapter_named(out.engine);
  if (adapter && !(*adapter)->launchable) {
    system.complain_here(
        fmt::format("engine '{}' cannot be launched; use attach: {{ url: ... }}", out.engine));
  } else if (adapter && (*adapter)->simulated && !out.docker.empty()) {
    system.complain_here("the simulated engine is this very program; leave launch out");
  }
}

SystemSpec read_system(const YAML::Node& node, std::size_t position, Complaints& complaints) {
  SystemSpec out;
  Fields system(
      node, fmt::format("systems[{}]", position),
      {"name", "engine", "profile", "launch", "attach", "host", "port", "model_path", "model_name",
       "converted_from", "converter", "key_env", "remote", "args", "env", "build"},
      complaints);
  if (!node.IsMap()) return out;
  if (const auto name = system.text("name")) {
    out.name = *name;
  } else if (!system.has("name")) {
    system.complain_here("a system needs a name");
  }
  if (system.has("launch")) read_launch(system, out);
  if (system.has("attach")) read_attach(system, out);
  read_engine(system, out);
  if (system.has("build")) read_build(system, out);
  if (const auto host = system.text("host")) out.host = *host;
  if (const auto port = system.whole("port", 1, 65535)) {
    out.port = static_cast<std::uint16_t>(*port);
  } else {
    out.port = static_cast<std::uint16_t>(8000 + position);
  }
  out.model_path = system.text("model_path").value_or("");
  out.model_name = system.text("model_name").value_or("");
  out.converted_from = system.text("converted_from").value_or("");
  out.converter = system.text("converter").value_or("");
  out.key_env = read_variable(system, "key_env").value_or("");
  out.remote = system.boolean("remote");
  out.args = system.texts("args");
  system.text_map("env", [&](std::string name, std::string value) {
    out.env.emplace(std::move(name), std::move(value));
  });
  check_way_to_reach(system, out);
  return out;
}

}  // namespace

void read_systems(Fields& top, Spec& spec) {
  const YAML::Node systems = top.node("systems");
  if (!systems.IsDefined() || !systems.IsSequence() || systems.size() == 0) {
    if (systems.IsDefined()) {
      top.complain(systems, "systems must be a list of at least one system");
    } else {
      top.complain_here("systems is missing: list the engines to compare");
    }
    return;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < systems.size(); ++i) {
    SystemSpec system = read_system(systems[i], i, top.complaints());
    if (!system.name.empty() && !names.insert(system.name).second) {
      top.complain(systems[i], fmt::format("two systems are called '{}'", system.name));
    }
    spec.systems.push_back(std::move(system));
  }
}

}  // namespace evenbench::cli
