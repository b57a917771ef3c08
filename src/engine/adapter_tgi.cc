// Text Generation Inference: `text-generation-launcher --model-id MODEL`. Any model name in a
// request but "tgi" is taken for an adapter's (LoRA). Version and limits stand in /info.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

Result<LaunchCommand> command_of(const LaunchRequest& request) {
  if (request.model_path.empty()) {
    return usage_error("tgi needs a model; set model.path (a folder) or model_path of the system");
  }
  std::vector<std::string> argv{
      request.native.empty() ? "text-generation-launcher" : request.native,
      "--model-id",
      request.model_path,
      "--hostname",
      request.host,
      "--port",
      std::to_string(request.port)};
  if (!request.dtype.empty()) argv.insert(argv.end(), {"--dtype", request.dtype});
  // A server under measurement calls nobody.
  argv.insert(argv.end(), {"--usage-stats", "off"});
  return with_args(std::move(argv), request.args,
                   {"--model-id", "--hostname", "--port", "--dtype", "--usage-stats"});
}

}  // namespace

Adapter tgi_adapter() {
  Adapter adapter;
  adapter.name = "tgi";
  adapter.title = "TGI";
  adapter.launchable = true;
  adapter.request_model = "tgi";
  adapter.any_model_name = true;
  adapter.health_route = "/health";
  adapter.version_route = "/info";
  adapter.native_command = command_of;
  adapter.version_of = version_member;
  adapter.image_program_words = 1;
  adapter.docker_options = {"--shm-size", "1g"};
  return adapter;
}

}  // namespace evenbench::engine
