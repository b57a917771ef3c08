// TensorRT-LLM: `trtllm-serve MODEL`, a checkpoint in the Hugging Face layout, or the folder of a
// built engine, which holds no tokenizer. It names the model after its folder, takes any name in a
// request and none of the fields it does not know. The number type is the checkpoint's own.
#include <algorithm>

#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

bool states_tokenizer(const std::vector<std::string>& args) {
  return std::ranges::any_of(args, [](const std::string& arg) {
    return arg == "--tokenizer" || arg.starts_with("--tokenizer=");
  });
}

Result<LaunchCommand> command_of(const LaunchRequest& request) {
  if (auto model = needs_model_folder("trtllm", request); !model) return model.error();
  const bool built = !request.engine_folder.empty();
  // Its own default address is localhost, which nobody outside a container reaches.
  std::vector<std::string> argv{request.native.empty() ? "trtllm-serve" : request.native,
                                built ? request.engine_folder : request.model_path,
                                "--host",
                                request.host,
                                "--port",
                                std::to_string(request.port)};
  if (built && !states_tokenizer(request.args)) add_stated(argv, "--tokenizer", request.model_path);
  return with_args(std::move(argv), request.args);
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
  adapter.build_program = "trtllm-build";
  return adapter;
}

}  // namespace evenbench::engine
