// Text Generation Inference: `text-generation-launcher --model-id MODEL`. Any model name in a
// request but "tgi" is taken for an adapter's (LoRA). Version and limits stand in /info.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

Result<LaunchCommand> command_of(const LaunchRequest& request) {
  if (auto model = needs_model_folder("tgi", request); !model) return model.error();
  std::vector<std::string> argv{
      request.native.empty() ? "text-generation-launcher" : request.native,
      "--model-id",
      request.model_path,
      "--hostname",
      request.host,
      "--port",
      std::to_string(request.port)};
  add_stated(argv, "--dtype", request.dtype);
  add_stated(argv, "--usage-stats", "off");  // a server under measurement calls nobody
  return with_args(std::move(argv), request.args);
}

}  // namespace

// Its counters have no "_total". It tells no TTFT, no KV cache and no prefix cache.
MetricTable tgi_metric_table() {
  using M = EngineMetric;
  return {{"tgi_"},
          {{M::kRequestsFinished, {{"request_success"}}},
           {M::kRequestsRefused, {{"request_failure", "err", "overloaded"}}},
           {M::kRequestsRunning, {{"batch_current_size"}}},
           {M::kRequestsWaiting, {{"queue_size"}}},
           {M::kPromptTokens, {{"request_input_length_sum"}}},
           {M::kGenerationTokens, {{"request_generated_tokens_sum"}}},
           {M::kQueueTimeSum, {{"request_queue_duration_sum"}}},
           {M::kQueueTimeCount, {{"request_queue_duration_count"}}}},
          {}};
}

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
  adapter.metrics = {{"/metrics"}, {tgi_metric_table()}, ""};
  adapter.setting_rules = tgi_setting_rules;
  adapter.request.without_effect = {"ignore_eos", "min_tokens"};
  adapter.exact_length = {
      {},
      "answers end by themselves; compare at natural ends, with prompts that do "
      "not end early, and mind the lengths"};
  adapter.memory_knobs = {{"TGI_WIGGLE_ROOM", "free"}, {"--cuda-memory-fraction", "total"}};
  return adapter;
}

}  // namespace evenbench::engine
