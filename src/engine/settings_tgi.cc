// Where TGI says what is in force: limits in /info, the rest in the log of its launcher; every
// option is a variable of the environment too.
#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

using enum Form;

std::vector<OptionRule> options() {
  return {{{"--model-id"}, "model", kText},
          {{"--revision"}, "model_revision", kText},
          {{"--dtype"}, "dtype", kDtype},
          {{"--quantize"}, "quantization", kAbsentNone},
          {{"--kv-cache-dtype"}, "kv_cache_dtype", kDtype},
          {{"--max-total-tokens"}, "max_model_len", kText},
          {{"--max-batch-size"}, "max_running", kText},
          {{"--max-concurrent-requests"}, "concurrent_limit", kText},
          {{"--max-batch-prefill-tokens"}, "prefill_budget", kText},
          {{"--speculate"}, "speculative", kText},
          {{"--tokenizer-config-path"}, "tokenizer", kText},
          {{"--num-shard"}, "tensor_parallel", kText}};
}

std::vector<RouteRule> said() {
  const auto of = [](const char* pointer, const char* key, Form form = kText) {
    return RouteRule{"/info", pointer, key, form};
  };
  return {of("/model_id", "model"),
          of("/model_sha", "model_revision"),
          of("/model_dtype", "dtype", kDtype),
          of("/max_total_tokens", "max_model_len"),
          of("/max_concurrent_requests", "concurrent_limit"),
          of("/sha", "engine_commit")};
}

// A share of what is free, inside a share of the whole card.
void more(const Evidence& evidence, SettingsBook& book) {
  if (evidence.argv.empty()) return;
  const auto stated = [&](const char* name, const char* otherwise) {
    const auto it = evidence.env.find(name);
    return it == evidence.env.end() ? std::string(otherwise) : it->second;
  };
  std::string whole = stated("CUDA_MEMORY_FRACTION", "1.0");
  for (std::size_t i = 0; i + 1 < evidence.argv.size(); ++i) {
    if (evidence.argv[i] == "--cuda-memory-fraction") whole = evidence.argv[i + 1];
  }
  book.learn("memory_setting",
             stated("TGI_WIGGLE_ROOM", "0.9") + " of free, within " + spelt(kOfTotal, whole),
             "command line, and default of TGI");
}

}  // namespace

SettingRules tgi_setting_rules(const Evidence&) {
  SettingRules rules;
  rules.routes = {"/info"};
  rules.tokenize = {"/tokenize", "inputs"};
  rules.said = said();
  rules.log = {
      {"Prefix caching ", "Prefix caching ", "\n", "prefix_cache", kSwitch},
      {"Default `max_batch_prefill_tokens` to ", "` to ", "\n", "prefill_budget", kText},
      {"Setting max batch total tokens to ", " tokens to ", "\n", "kv_cache_tokens", kText},
      {"Sharding model on ", "Sharding model on ", " ", "tensor_parallel", kText}};
  rules.options = options();
  rules.options_in_env = true;
  rules.env = {{"PREFIX_CACHING", "prefix_cache", kSwitch},
               {"PREFILL_CHUNKING", "chunked_prefill", kSwitch}};
  rules.defaults = {{"chunked_prefill", "on"},
                    {"max_running", "none"},
                    {"max_queued", "none"},
                    {"concurrent_limit", "128"},
                    {"speculative", "off"}};
  rules.always = {{"truncation", "refuses"},
                  {"ignore_eos", "not possible"},
                  {"stream_interval", "1"},
                  {"sampling_defaults", "engine"}};
  rules.more = more;
  return rules;
}

}  // namespace evenbench::engine
