// The simulated engine: this very program, run again as `evenbench simulate`.
#include <filesystem>

#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

Result<LaunchCommand> command_of(const LaunchRequest& request) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) {
    return environment_error(
        "/proc/self/exe cannot be read, so the simulated engine cannot be started; mount /proc");
  }
  std::vector<std::string> argv{
      program.string(), "simulate",   "--profile", request.native,
      "--host",         request.host, "--port",    std::to_string(request.port)};
  add_stated(argv, "--model", request.served_name);
  return with_args(std::move(argv), request.args);
}

}  // namespace

Adapter sim_adapter() {
  Adapter adapter;
  adapter.name = "sim";
  adapter.title = "simulated engine";
  adapter.launchable = true;
  adapter.simulated = true;
  adapter.health_route = "/health";
  adapter.version_route = "/version";
  adapter.native_command = command_of;
  adapter.version_of = version_member;
  adapter.metrics = {
      {"/prometheus/metrics", "/metrics"},
      {vllm_metric_table(), trtllm_metric_table(), tgi_metric_table(), sglang_metric_table()},
      ""};
  adapter.setting_rules = sim_setting_rules;
  adapter.exact_length = {{"ignore_eos", "min_tokens"}, ""};
  return adapter;
}

}  // namespace evenbench::engine
