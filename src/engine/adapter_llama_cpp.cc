// llama.cpp: `llama-server -m FILE`. It listens while it loads, with 503 on /health, and knows no
// min_tokens. A GGUF file fixes its own number type, so the spec's dtype is not an option here.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

Result<LaunchCommand> command_of(const LaunchRequest& request) {
  if (request.model_path.empty()) {
    return usage_error(
        "llama_cpp needs a model; set model_path of the system (or model.path) to a .gguf file");
  }
  std::vector<std::string> argv{request.native.empty() ? "llama-server" : request.native,
                                "-m",
                                request.model_path,
                                "--host",
                                request.host,
                                "--port",
                                std::to_string(request.port)};
  add_stated(argv, "--alias", request.served_name);
  return with_args(std::move(argv), request.args);
}

std::string version_of(std::string_view body) {
  return text_member(body, "build_info");
}

// Its prompt_tokens are those that were computed; the rest came from a slot's cache. Builds that do
// not count the rest have no sum that a client could be held against.
MetricTable metric_table() {
  using M = EngineMetric;
  const std::vector<MetricTerm> prompt{{"prompt_tokens"}, {"prompt_tokens_cached"}};
  return {{"llamacpp:"},
          {{M::kRequestsRunning, {{"requests_processing"}}},
           {M::kRequestsWaiting, {{"requests_deferred"}}},
           {M::kKvCacheUsage, {{"kv_cache_usage_ratio"}}},
           {M::kPromptTokens, prompt},
           {M::kGenerationTokens, {{"tokens_predicted"}}},
           {M::kPrefixQueryTokens, prompt},
           {M::kPrefixHitTokens, {{"prompt_tokens_cached"}}}},
          {}};
}

}  // namespace

Adapter llama_cpp_adapter() {
  Adapter adapter;
  adapter.name = "llama_cpp";
  adapter.title = "llama.cpp";
  adapter.launchable = true;
  adapter.health_route = "/health";
  adapter.version_route = "/props";
  adapter.native_command = command_of;
  adapter.version_of = version_of;
  adapter.image_program_words = 1;
  adapter.metrics = {{"/metrics"}, {metric_table()}, "start it with --metrics"};
  adapter.setting_rules = llama_cpp_setting_rules;
  adapter.exact_length = {{"ignore_eos"}, "a character of several bytes may take it further"};
  adapter.cache_reset = {"POST", "/slots/0?action=erase", "--slots, and once for every slot"};
  adapter.memory_knobs = {{"-c", "tokens"}, {"-np", "slots that share them"}};
  return adapter;
}

}  // namespace evenbench::engine
