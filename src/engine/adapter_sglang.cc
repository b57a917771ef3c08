// SGLang: `python3 -m sglang.launch_server --model-path MODEL`. The program of a native launch is
// the Python that has it.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

Result<LaunchCommand> command_of(const LaunchRequest& request) {
  if (auto model = needs_model_folder("sglang", request); !model) return model.error();
  std::vector<std::string> argv{request.native.empty() ? "python3" : request.native,
                                "-m",
                                "sglang.launch_server",
                                "--model-path",
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

MetricTable sglang_metric_table() {
  using M = EngineMetric;
  return {{"sglang:"},
          {{M::kRequestsFinished, {{"num_requests"}}},
           {M::kRequestsRunning, {{"num_running_reqs"}}},
           {M::kRequestsWaiting, {{"num_queue_reqs"}}},
           {M::kKvCacheUsage, {{"token_usage"}}},
           {M::kPromptTokens, {{"prompt_tokens"}}},
           {M::kGenerationTokens, {{"generation_tokens"}}},
           {M::kPrefixQueryTokens, {{"prompt_tokens"}}},
           {M::kPrefixHitTokens, {{"cached_tokens"}}},
           {M::kCacheHitRate, {{"cache_hit_rate"}}},
           {M::kPreemptions, {{"num_retracted_requests"}}},
           {M::kQueueTimeSum, {{"queue_time_seconds_sum"}}},
           {M::kQueueTimeCount, {{"queue_time_seconds_count"}}},
           {M::kTtftSum, {{"time_to_first_token_seconds_sum"}}},
           {M::kTtftCount, {{"time_to_first_token_seconds_count"}}}},
          {}};
}

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
  adapter.metrics = {{"/metrics"}, {sglang_metric_table()}, "start it with --enable-metrics"};
  adapter.setting_rules = sglang_setting_rules;
  adapter.exact_length = {{"ignore_eos", "min_tokens"}, ""};
  adapter.cache_reset = {"POST", "/flush_cache", ""};
  adapter.memory_knobs = {{"--mem-fraction-static", "total"}};
  return adapter;
}

}  // namespace evenbench::engine
