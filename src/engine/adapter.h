// What evenbench knows of an engine, as data: how it is launched and asked, and what its requests
// may carry.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/child_process.h"
#include "wire/request.h"

namespace evenbench::engine {

// The part of a launch that the spec decides.
struct LaunchRequest {
  std::string native;  // program, or "" for the engine's usual one
  std::string model_path;
  std::string served_name;  // "" = the engine's own choice
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;
  std::string dtype;              // "" = not stated
  std::vector<std::string> args;  // appended as they are
};

struct Adapter {
  std::string name;   // vllm, llama_cpp, openai, sim
  std::string title;  // vLLM, llama.cpp, ...
  bool launchable = false;
  bool simulated = false;
  std::string health_route;   // "" = none: the model list stands in
  std::string version_route;  // "" = none
  // argv and environment of a native launch. Error: usage.
  Result<LaunchCommand> (*native_command)(const LaunchRequest&) = nullptr;
  // Version from the body of version_route (or of the model list); "" = not found.
  std::string (*version_of)(std::string_view body) = nullptr;
};

// Error: usage, lists the names there are.
Result<const Adapter*> adapter_named(std::string_view name);
std::vector<std::string> adapter_names();

}  // namespace evenbench::engine
