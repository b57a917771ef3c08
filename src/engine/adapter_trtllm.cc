// TensorRT-LLM: `trtllm-serve MODEL`, a checkpoint in the Hugging Face layout. It names the model
// after its folder, takes any name in a request and none of the fields it does not know. The number
// type is the checkpoint's own.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

Result<LaunchCommand> command_of(const LaunchRequest& request) {
  if (auto model = needs_model_folder("trtllm", request); !model) return model.error();
  // Its own default address is localhost, which nobody outside a container reaches.
  return with_args({request.native.empty() ? "trtllm-serve" : request.native, request.model_path,
                    "--host", request.host, "--port", std::to_string(request.port)},
                   request.args);
}

}  // namespace

Adapter trtllm_adapter() {
  Adapter adapter;
  adapter.name = "trtllm";
  adapter.title = "TensorRT-LLM";
  adapter.launchable = true;
  adapter.any_model_name = true;
  adapter.health_route = "/health";
  adapter.version_route = "/version";
  adapter.native_command = command_of;
  adapter.version_of = version_member;
  adapter.image_program_words = 0;
  adapter.docker_options = {"--ipc",      "host",     "--ulimit",
                            "memlock=-1", "--ulimit", "stack=67108864"};
  return adapter;
}

}  // namespace evenbench::engine
