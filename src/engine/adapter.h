// What evenbench knows of an engine, as data: how it is launched and asked, and what its requests
// may carry.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/child_process.h"
#include "engine/metrics.h"
#include "engine/request_rules.h"
#include "engine/setting_rules.h"
#include "wire/request.h"

namespace evenbench::engine {

struct Container {
  std::string image;                 // "" = no container: a native launch
  std::string name;                  // the container's
  std::vector<int> gpus;             // numbers as of nvidia-smi; empty: all
  std::vector<std::string> options;  // further ones of `docker run`
};

// The part of a launch that the spec decides.
struct LaunchRequest {
  std::string native;  // program, or "" for the engine's usual one
  std::string model_path;
  // Folder of an engine that was built from the model (engine_build.h), which then is what is
  // served; "" = the model itself is.
  std::string engine_folder;
  std::string served_name;  // "" = the engine's own choice
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::string dtype;              // "" = not stated
  std::vector<std::string> args;  // appended as they are
  std::vector<std::pair<std::string, std::string>> env;
  Container container;
};

struct Adapter {
  std::string name;   // vllm, trtllm, tgi, sglang, llama_cpp, openai, sim
  std::string title;  // vLLM, llama.cpp, ...
  bool launchable = false;
  bool simulated = false;
  // What requests carry as the model, whatever it is called; "" = its name.
  std::string request_model;
  bool any_model_name = false;  // the server does not look at it, or its list says little
  std::string health_route;     // "" = none: the model list stands in
  std::string version_route;    // "" = none
  // argv and environment of a native launch. Error: usage.
  Result<LaunchCommand> (*native_command)(const LaunchRequest&) = nullptr;
  // Of the native command line, how many words the entrypoint of the image stands for: the image's
  // own, or the one that docker_options sets.
  std::size_t image_program_words = 0;
  std::vector<std::string> docker_options;  // of `docker run`, which every launch of it needs
  // What builds an engine of a checkpoint before the launch, in releases that need it; "" = nothing
  // does.
  std::string build_program;
  // Version from the body of version_route (or of the model list); "" = not found.
  std::string (*version_of)(std::string_view body) = nullptr;
  MetricsSource metrics;
  // Where it says which settings are in force. The evidence need only hold the command line.
  SettingRules (*setting_rules)(const Evidence&) = nullptr;
  RequestRules request;
  ExactLength exact_length;
  CacheReset cache_reset;
  std::vector<MemoryKnob> memory_knobs;
};

// Error: usage, lists the names there are.
Result<const Adapter*> adapter_named(std::string_view name);
std::vector<std::string> adapter_names();

}  // namespace evenbench::engine
