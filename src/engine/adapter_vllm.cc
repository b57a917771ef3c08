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

// Names with gpu_ are those before November 2025.
MetricTable vllm_metric_table() {
  using M = EngineMetric;
  return {{"vllm:"},
          {{M::kRequestsFinished, {{"request_success"}}},
           {M::kRequestsRefused, {{"admission_rejections"}}},
           {M::kRequestsRunning, {{"num_requests_running"}}},
           {M::kRequestsWaiting, {{"num_requests_waiting"}}},
           {M::kKvCacheUsage, {{"kv_cache_usage_perc"}}},
           {M::kKvCacheUsage, {{"gpu_cache_usage_perc"}}},
           {M::kPromptTokens, {{"prompt_tokens"}}},
           {M::kGenerationTokens, {{"generation_tokens"}}},
           {M::kPrefixQueryTokens, {{"prefix_cache_queries"}}},
           {M::kPrefixQueryTokens, {{"gpu_prefix_cache_queries"}}},
           {M::kPrefixHitTokens, {{"prefix_cache_hits"}}},
           {M::kPrefixHitTokens, {{"gpu_prefix_cache_hits"}}},
           {M::kCacheHitRate, {{"gpu_prefix_cache_hit_rate"}}},
           {M::kPreemptions, {{"num_preemptions"}}},
           {M::kQueueTimeSum, {{"request_queue_time_seconds_sum"}}},
           {M::kQueueTimeCount, {{"request_queue_time_seconds_count"}}},
           {M::kTtftSum, {{"time_to_first_token_seconds_sum"}}},
           {M::kTtftCount, {{"time_to_first_token_seconds_count"}}}},
          {}};
}

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
  adapter.metrics = {{"/metrics"}, {vllm_metric_table()}, "start it without --disable-log-stats"};
  adapter.setting_rules = vllm_setting_rules;
  adapter.exact_length = {{"ignore_eos", "min_tokens"},
                          "max_new_tokens in the model's generation_config.json cuts answers short "
                          "unless it is started with --generation-config vllm"};
  adapter.cache_reset = {"POST", "/reset_prefix_cache", "VLLM_SERVER_DEV_MODE=1"};
  adapter.memory_knobs = {{"--gpu-memory-utilization", "total"},
                          {"--kv-cache-memory-bytes", "bytes"}};
  return adapter;
}

}  // namespace evenbench::engine
