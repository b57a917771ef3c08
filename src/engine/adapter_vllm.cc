// vLLM: `vllm serve MODEL`. /health answers 200 once the engine runs; the key guards /v1 only.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

Result<LaunchCommand> command_of(const LaunchRequest& request) {
  if (auto model = needs_model_folder("vllm", request); !model) return model.error();
  std::vector<std::string> argv{request.native.empty() ? "vllm" : request.native,
                                "serve",
                                request.model_path,
                                "--host",
                                request.host,
                                "--port",
                                std::to_string(request.port)};
  add_stated(argv, "--served-model-name", request.served_name);
  add_stated(argv, "--dtype", request.dtype);
  return with_args(std::move(argv), request.args);
}

}  // namespace

Adapter vllm_adapter() {
  Adapter adapter;
  adapter.name = "vllm";
  adapter.title = "vLLM";
  adapter.launchable = true;
  adapter.health_route = "/health";
  adapter.version_route = "/version";
  adapter.native_command = command_of;
  adapter.version_of = version_member;
  // Its image's own entrypoint is another before October 2025 than since.
  adapter.image_program_words = 1;
  adapter.docker_options = {"--entrypoint", "vllm", "--ipc", "host"};
  return adapter;
}

}  // namespace evenbench::engine
