// Where vLLM says what is in force: everything in /server_info, which only its development mode
// opens; the cache's part as labels of a metric; most of the rest in one long line of its log.
#include <nlohmann/json.hpp>

#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

using enum Form;

constexpr const char* kInfo = "/server_info?config_format=json";

std::vector<RouteRule> said() {
  const auto of = [](const char* part, const char* name, const char* key, Form form) {
    return RouteRule{kInfo, std::string("/vllm_config/") + part + "/" + name, key, form};
  };
  return {of("model_config", "model", "model", kText),
          of("model_config", "revision", "model_revision", kText),
          of("model_config", "dtype", "dtype", kDtype),
          of("model_config", "quantization", "quantization", kAbsentNone),
          of("cache_config", "cache_dtype", "kv_cache_dtype", kDtype),
          of("model_config", "max_model_len", "max_model_len", kText),
          of("cache_config", "enable_prefix_caching", "prefix_cache", kSwitch),
          of("scheduler_config", "enable_chunked_prefill", "chunked_prefill", kSwitch),
          of("scheduler_config", "max_num_seqs", "max_running", kText),
          of("scheduler_config", "max_num_queued_reqs", "max_queued", kLimit),
          of("scheduler_config", "max_num_batched_tokens", "prefill_budget", kText),
          of("speculative_config", "method", "speculative", kText),
          RouteRule{kInfo, "/vllm_config/speculative_config", "speculative", kAbsentOff},
          of("scheduler_config", "stream_interval", "stream_interval", kText),
          of("model_config", "generation_config", "sampling_defaults", kSampling),
          of("model_config", "tokenizer", "tokenizer", kText),
          // A size that is stated, as on a CPU it always is, leaves the share without effect.
          of("cache_config", "kv_cache_memory_bytes", "memory_setting", kOfCache),
          of("cache_config", "gpu_memory_utilization", "memory_setting", kOfTotal),
          of("cache_config", "kv_cache_size_tokens", "kv_cache_tokens", kText),
          of("parallel_config", "tensor_parallel_size", "tensor_parallel", kText),
          {kInfo, "/vllm_env/VLLM_BUILD_COMMIT", "engine_commit", kText},
          {"/v1/models", "/data/0/root", "model", kText},
          {"/v1/models", "/data/0/max_model_len", "max_model_len", kText}};
}

std::vector<LabelRule> labels() {
  constexpr const char* kCache = "cache_config_info";
  return {{kCache, "cache_dtype", "kv_cache_dtype", kDtype},
          {kCache, "enable_prefix_caching", "prefix_cache", kSwitch},
          {kCache, "kv_cache_memory_bytes", "memory_setting", kOfCache},
          {kCache, "gpu_memory_utilization", "memory_setting", kOfTotal},
          {kCache, "kv_cache_size_tokens", "kv_cache_tokens", kText}};
}

std::vector<LogRule> log() {
  constexpr const char* kStart = "LLM engine (v";
  return {
      {kStart, "speculative_config=", ",", "speculative", kAbsentOff},
      {kStart, " tokenizer=", ",", "tokenizer", kText},
      {kStart, " dtype=", ",", "dtype", kDtype},
      {kStart, " max_seq_len=", ",", "max_model_len", kText},
      {kStart, "tensor_parallel_size=", ",", "tensor_parallel", kText},
      {kStart, " quantization=", ",", "quantization", kAbsentNone},
      {kStart, " kv_cache_dtype=", ",", "kv_cache_dtype", kDtype},
      {kStart, "enable_prefix_caching=", ",", "prefix_cache", kSwitch},
      {kStart, "enable_chunked_prefill=", ",", "chunked_prefill", kSwitch},
      {kStart, "chunked_prefill_enabled=", ",", "chunked_prefill", kSwitch},
      {"Chunked prefill is enabled with ", "max_num_batched_tokens=", ".", "prefill_budget", kText},
      {"KV cache size: ", "KV cache size: ", " tokens", "kv_cache_tokens", kText}};
}

std::vector<OptionRule> options() {
  return {{{"--revision"}, "model_revision", kText},
          {{"--dtype"}, "dtype", kDtype},
          {{"--quantization", "-q"}, "quantization", kAbsentNone},
          {{"--kv-cache-dtype"}, "kv_cache_dtype", kDtype},
          {{"--max-model-len"}, "max_model_len", kText},
          {{"--enable-prefix-caching"}, "prefix_cache", kSwitch, "on"},
          {{"--no-enable-prefix-caching"}, "prefix_cache", kSwitch, "off"},
          {{"--enable-chunked-prefill"}, "chunked_prefill", kSwitch, "on"},
          {{"--no-enable-chunked-prefill"}, "chunked_prefill", kSwitch, "off"},
          {{"--max-num-seqs"}, "max_running", kText},
          {{"--max-num-queued-reqs"}, "max_queued", kLimit},
          {{"--max-num-batched-tokens"}, "prefill_budget", kText},
          {{"--stream-interval"}, "stream_interval", kText},
          {{"--generation-config"}, "sampling_defaults", kSampling},
          {{"--tokenizer"}, "tokenizer", kText},
          {{"--kv-cache-memory-bytes"}, "memory_setting", kOfCache},
          {{"--gpu-memory-utilization"}, "memory_setting", kOfTotal},
          {{"--tensor-parallel-size", "-tp"}, "tensor_parallel", kText}};
}

// What it draws with where neither a request nor the model says anything.
void learn_own_sampling(SettingsBook& book) {
  if (book.effective("sampling_defaults") != spelt(kSampling, "vllm")) return;
  constexpr const char* kSource = "default of vLLM";
  book.learn("default_temperature", "1", kSource);
  book.learn("default_top_p", "1", kSource);
  book.learn("default_top_k", "0", kSource);
  book.learn("default_repetition_penalty", "1", kSource);
}

// "--speculative-config" takes an object, and only its method is a name.
void more(const Evidence& evidence, SettingsBook& book) {
  learn_own_sampling(book);
  for (std::size_t i = 0; i + 1 < evidence.argv.size(); ++i) {
    if (evidence.argv[i] != "--speculative-config") continue;
    const std::string method = text_member(evidence.argv[i + 1], "method");
    book.ask("speculative", method);
    book.learn("speculative", method, "command line");
  }
}

}  // namespace

SettingRules vllm_setting_rules(const Evidence&) {
  SettingRules rules;
  rules.routes = {"/v1/models", kInfo, "/metrics"};
  rules.metrics_route = "/metrics";
  rules.tokenize = {"/tokenize", "prompt"};
  rules.said = said();
  rules.labels = labels();
  rules.log = log();
  rules.options = options();
  rules.config_options = {"--config"};
  rules.defaults = {{"prefix_cache", "on"},   {"chunked_prefill", "on"},
                    {"max_queued", "none"},   {"speculative", "off"},
                    {"stream_interval", "1"}, {"sampling_defaults", spelt(kSampling, "auto")},
                    {"tensor_parallel", "1"}};
  rules.always = {{"truncation", "refuses"}, {"ignore_eos", "honoured"}};
  rules.more = more;
  return rules;
}

}  // namespace evenbench::engine
