// Building an engine of a checkpoint before its launch, as older TensorRT-LLM releases need it: by
// which command lines, and what a built engine depends on. Pure. Knows nothing of where built
// engines are kept (engine_build_cache.h) nor of running anything (engine_build_run.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/adapter.h"

namespace evenbench::engine {

// In the folder of a build.
inline constexpr const char* kBuiltFolder = "engine";
inline constexpr const char* kCheckpointFolder = "checkpoint";

struct BuildRequest {
  // The program that makes a checkpoint of the model, with the places {model} and {checkpoint}.
  // Empty: the model is such a checkpoint already.
  std::vector<std::string> convert;
  std::vector<std::string> args;  // further words of the build program
  std::string program;            // "" = the engine's own, beside the server's where that is a path
  LaunchRequest launch;           // model, environment and container are those of the launch
};

// What a built engine depends on beside the words, as far as it is known.
struct BuildGrounds {
  std::string weights;   // hash
  std::string tools;     // version or image
  std::string hardware;  // the GPUs: an engine is made for one kind
  std::vector<std::pair<std::string, std::string>> env;
};

std::string build_program(const Adapter& adapter, const BuildRequest& request);

// Error: usage; a word that evenbench sets itself, a missing place, no folder to build from.
Result<void> check_build(const Adapter& adapter, const BuildRequest& request);

// Equal texts stand for equal engines. Where the model lies, which numbers the GPUs have and what a
// container is called do not count.
std::string build_identity(const Adapter& adapter, const BuildRequest& request,
                           const BuildGrounds& grounds);

struct BuildCommand {
  std::string what;  // for messages: "trtllm-build", "build.convert (python3)"
  LaunchCommand launch;
};

// The command lines in their order. They work in `folder` of this machine, which must hold
// kCheckpointFolder and kBuiltFolder. The logs are left to the caller. Error: as check_build.
Result<std::vector<BuildCommand>> build_commands(const Adapter& adapter,
                                                 const BuildRequest& request,
                                                 const std::filesystem::path& folder);

}  // namespace evenbench::engine
