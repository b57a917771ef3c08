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

// The prefix moved with the versions, and images without one exist.
MetricTable trtllm_metric_table() {
  using M = EngineMetric;
  return {{"trtllm_", "trtllm:", ""},
          {{M::kRequestsFinished, {{"request_success"}}},
           {M::kRequestsRunning, {{"num_requests_running"}}},
           {M::kRequestsWaiting, {{"num_requests_waiting"}}},
           {M::kKvCacheUsage, {{"kv_cache_utilization"}}},
           {M::kPromptTokens, {{"prompt_tokens"}}},
           {M::kGenerationTokens, {{"generation_tokens"}}},
           {M::kPrefixQueryTokens, {{"prompt_tokens"}}},
           {M::kPrefixHitTokens, {{"prompt_cached_tokens"}}},
           {M::kCacheHitRate, {{"kv_cache_hit_rate"}}},
           {M::kQueueTimeSum, {{"request_queue_time_seconds_sum"}}},
           {M::kQueueTimeCount, {{"request_queue_time_seconds_count"}}},
           {M::kTtftSum, {{"time_to_first_token_seconds_sum"}}},
           {M::kTtftCount, {{"time_to_first_token_seconds_count"}}}},
          {{M::kRequestsFinished, "/numCompletedRequests", ""},
           {M::kRequestsRunning, "/numActiveRequests", ""},
           {M::kRequestsWaiting, "/numQueuedRequests", ""},
           {M::kKvCacheUsage, "/kvCacheStats/usedNumBlocks", "/kvCacheStats/maxNumBlocks"},
           {M::kCacheHitRate, "/kvCacheStats/cacheHitRate", ""}}};
}

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
  adapter.metrics = {
      {"/prometheus/metrics", "/metrics"},
      {trtllm_metric_table()},
      "its --config file needs return_perf_metrics: true, or enable_iter_perf_stats: true"};
  adapter.setting_rules = trtllm_setting_rules;
  adapter.request.known = {"model",
                           "messages",
                           "prompt",
                           "stream",
                           "stream_options",
                           "max_tokens",
                           "max_completion_tokens",
                           "ignore_eos",
                           "min_tokens",
                           "temperature",
                           "top_p",
                           "top_k",
                           "seed",
                           "stop",
                           "frequency_penalty",
                           "presence_penalty",
                           "repetition_penalty",
                           "n"};
  adapter.exact_length = {{"ignore_eos", "min_tokens"},
                          "a length beyond the room that is left is cut without a word"};
  adapter.memory_knobs = {{"--free_gpu_memory_fraction", "free after weights"}};
  return adapter;
}

}  // namespace evenbench::engine
