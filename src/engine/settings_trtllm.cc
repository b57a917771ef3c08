// Where TensorRT-LLM says what is in force: labels of its metrics, which need return_perf_metrics,
// and the command line with the file that it names. Command line before file, as it is since the
// middle of 2026; earlier the file came first, so one setting belongs in one place.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

using enum Form;

std::vector<OptionRule> options() {
  return {{{"--hf_revision", "--revision"}, "model_revision", kText},
          {{"--kv_cache_dtype"}, "kv_cache_dtype", kDtype},
          {{"--max_seq_len"}, "max_model_len", kText},
          {{"--enable_chunked_prefill"}, "chunked_prefill", kSwitch, "on"},
          {{"--max_batch_size"}, "max_running", kText},
          {{"--max_num_tokens"}, "prefill_budget", kText},
          {{"--tokenizer"}, "tokenizer", kText},
          {{"--free_gpu_memory_fraction", "--kv_cache_free_gpu_memory_fraction"},
           "memory_setting",
           kOfFree},
          {{"--tensor_parallel_size", "--tp_size"}, "tensor_parallel", kText}};
}

std::vector<NamedRule> config() {
  return {{"kv_cache_config.dtype", "kv_cache_dtype", kDtype},
          {"kv_cache_config.enable_block_reuse", "prefix_cache", kSwitch},
          {"kv_cache_config.free_gpu_memory_fraction", "memory_setting", kOfFree},
          {"max_seq_len", "max_model_len", kText},
          {"enable_chunked_prefill", "chunked_prefill", kSwitch},
          {"max_batch_size", "max_running", kText},
          {"max_num_tokens", "prefill_budget", kText},
          {"stream_interval", "stream_interval", kText},
          {"speculative_config.decoding_type", "speculative", kText},
          {"tensor_parallel_size", "tensor_parallel", kText}};
}

std::vector<LabelRule> labels() {
  return {{"model_config_info", "model", "model", kText},
          {"model_config_info", "dtype", "dtype", kDtype},
          {"model_config_info", "quantization", "quantization", kAbsentNone},
          {"model_config_info", "max_model_len", "max_model_len", kText},
          {"parallel_config_info", "tensor_parallel_size", "tensor_parallel", kText},
          {"speculative_config_info", "spec_method", "speculative", kText},
          {"cache_config_info", "enable_block_reuse", "prefix_cache", kSwitch},
          {"cache_config_info", "cache_dtype", "kv_cache_dtype", kDtype},
          {"cache_config_info", "free_gpu_memory_fraction", "memory_setting", kOfFree}};
}

// Its list names the model after the folder: the folder itself says more.
void more(const Evidence& evidence, SettingsBook& book) {
  if (!evidence.argv.empty()) book.learn("model", evidence.model, "command line");
}

}  // namespace

SettingRules trtllm_setting_rules(const Evidence&) {
  SettingRules rules;
  // /metrics is not among them: it forgets what it has shown.
  rules.routes = {"/v1/models", "/prometheus/metrics"};
  rules.metrics_route = "/prometheus/metrics";
  rules.tokenize = {"/_internal/tokenize", "prompt"};
  rules.labels = labels();
  rules.options = options();
  rules.config_options = {"--config", "--extra_llm_api_options"};
  rules.config = config();
  rules.defaults = {{"prefix_cache", "on"},     {"chunked_prefill", "off"},
                    {"max_running", "2048"},    {"max_queued", "none"},
                    {"prefill_budget", "8192"}, {"speculative", "off"},
                    {"stream_interval", "1"},   {"memory_setting", "0.9 of free after weights"}};
  rules.always = {{"truncation", "refuses"}, {"ignore_eos", "honoured"}};
  rules.more = more;
  return rules;
}

}  // namespace evenbench::engine
