// SGLang: `python3 -m sglang.launch_server --model-path MODEL`. The program of a native launch is
// the Python that has it.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

Result<LaunchCommand> command_of(const LaunchRequest& request) {
  if (request.model_path.empty()) {
    return usage_error(
        "sglang needs a model; set model.path (a folder) or model_path of the system");
  }
  std::vector<std::string> argv{request.native.empty() ? "python3" : request.native,
                                "-m",
                                "sglang.launch_server",
                                "--model-path",
                                request.model_path,
                                "--host",
                                request.host,
                                "--port",
                                std::to_string(request.port)};
  if (!request.served_name.empty())
    argv.insert(argv.end(), {"--served-model-name", request.served_name});
  if (!request.dtype.empty()) argv.insert(argv.end(), {"--dtype", request.dtype});
  return with_args(std::move(argv), request.args,
                   {"--model-path", "--host", "--port", "--served-model-name", "--dtype"});
}

}  // namespace

Adapter sglang_adapter() {
  Adapter adapter;
  adapter.name = "sglang";
  adapter.title = "SGLang";
  adapter.launchable = true;
  adapter.health_route = "/health";
  adapter.version_route = "/server_info";
  adapter.native_command = command_of;
  adapter.version_of = version_member;
  adapter.image_program_words = 0;
  adapter.docker_options = {"--ipc", "host"};
  return adapter;
}

}  // namespace evenbench::engine
