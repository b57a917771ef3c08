// Where SGLang says what is in force: every argument, as it was resolved, in /server_info, and the
// same in one line of its log.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

using enum Form;

struct Argument {
  const char* name;
  const char* key;
  Form form;
};
// As they are called in both places.
constexpr Argument kArguments[] = {{"model_path", "model", kText},
                                   {"revision", "model_revision", kText},
                                   {"dtype", "dtype", kDtype},
                                   {"quantization", "quantization", kAbsentNone},
                                   {"kv_cache_dtype", "kv_cache_dtype", kDtype},
                                   {"context_length", "max_model_len", kText},
                                   {"disable_radix_cache", "prefix_cache", kNotSwitch},
                                   {"chunked_prefill_size", "chunked_prefill", kChunkSize},
                                   {"max_running_requests", "max_running", kText},
                                   {"max_queued_requests", "max_queued", kLimit},
                                   {"max_prefill_tokens", "prefill_budget", kText},
                                   {"speculative_algorithm", "speculative", kAbsentOff},
                                   {"stream_interval", "stream_interval", kText},
                                   {"sampling_defaults", "sampling_defaults", kSampling},
                                   {"tokenizer_path", "tokenizer", kText},
                                   {"mem_fraction_static", "memory_setting", kOfTotal},
                                   {"tp_size", "tensor_parallel", kText}};

std::vector<RouteRule> said() {
  std::vector<RouteRule> out{
      {"/v1/models", "/data/0/max_model_len", "max_model_len", kText},
      {"/server_info", "/max_total_num_tokens", "kv_cache_tokens", kText},
      {"/server_info", "/internal_states/0/memory_usage/token_capacity", "kv_cache_tokens", kText}};
  for (const Argument& one : kArguments) {
    out.push_back({"/server_info", std::string("/") + one.name, one.key, one.form});
  }
  return out;
}

std::vector<LogRule> log() {
  std::vector<LogRule> out;
  for (const Argument& one : kArguments) {
    const std::string before =
        std::string(one.name) == "model_path" ? "(model_path=" : std::string(" ") + one.name + "=";
    out.push_back({"server_args=ServerArgs(", before, ",", one.key, one.form});
  }
  out.push_back({"KV Cache is allocated.", "dtype: ", ",", "kv_cache_dtype", kDtype});
  out.push_back({"KV Cache is allocated.", "#tokens: ", ",", "kv_cache_tokens", kText});
  return out;
}

// Prompts are cut only where that was allowed.
void more(const Evidence& evidence, SettingsBook& book) {
  const auto it = evidence.bodies.find("/server_info");
  const bool said = it != evidence.bodies.end() && !it->second.empty();
  const bool allowed = said && it->second.find("\"allow_auto_truncate\":true") != std::string::npos;
  if (allowed) book.learn("truncation", "cuts", "/server_info");
}

}  // namespace

SettingRules sglang_setting_rules(const Evidence&) {
  SettingRules rules;
  rules.routes = {"/v1/models", "/server_info"};
  rules.tokenize = {"/v1/tokenize", "prompt"};
  rules.said = said();
  rules.log = log();
  rules.options = {{{"--revision"}, "model_revision", kText},
                   {{"--dtype"}, "dtype", kDtype},
                   {{"--quantization"}, "quantization", kAbsentNone},
                   {{"--kv-cache-dtype"}, "kv_cache_dtype", kDtype},
                   {{"--context-length"}, "max_model_len", kText},
                   {{"--disable-radix-cache"}, "prefix_cache", kSwitch, "off"},
                   {{"--chunked-prefill-size"}, "chunked_prefill", kChunkSize},
                   {{"--max-running-requests"}, "max_running", kText},
                   {{"--max-queued-requests"}, "max_queued", kLimit},
                   {{"--max-prefill-tokens"}, "prefill_budget", kText},
                   {{"--speculative-algorithm"}, "speculative", kText},
                   {{"--stream-interval"}, "stream_interval", kText},
                   {{"--sampling-defaults"}, "sampling_defaults", kSampling},
                   {{"--tokenizer-path"}, "tokenizer", kText},
                   {{"--mem-fraction-static"}, "memory_setting", kOfTotal},
                   {{"--tp-size", "--tensor-parallel-size"}, "tensor_parallel", kText},
                   {{"--allow-auto-truncate"}, "truncation", kText, "cuts"}};
  rules.config_options = {"--config"};
  rules.defaults = {{"prefix_cache", "on"},      {"max_queued", "none"},
                    {"prefill_budget", "16384"}, {"speculative", "off"},
                    {"stream_interval", "1"},    {"sampling_defaults", spelt(kSampling, "model")},
                    {"truncation", "refuses"}};
  rules.always = {{"ignore_eos", "honoured"}};
  rules.more = more;
  return rules;
}

}  // namespace evenbench::engine
