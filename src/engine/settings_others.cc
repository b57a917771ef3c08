// The settings of a server of which only the API is known, and of the simulated engine, which says
// them as the engine that it stands for.
#include <algorithm>

#include "engine/adapters.h"

namespace evenbench::engine {
namespace {

bool answered(const Evidence& evidence, const char* route, const char* with) {
  const auto it = evidence.bodies.find(route);
  return it != evidence.bodies.end() && it->second.find(with) != std::string::npos;
}

// The dialect that it was started with; of a server that was there before, the one that it speaks.
std::string profile_of(const Evidence& evidence) {
  const auto it = std::find(evidence.argv.begin(), evidence.argv.end(), "--profile");
  if (it != evidence.argv.end() && it + 1 != evidence.argv.end()) return *(it + 1);
  if (answered(evidence, "/info", "model_id")) return "tgi";
  if (answered(evidence, "/server_info", "mem_fraction_static")) return "sglang";
  if (answered(evidence, "/prometheus/metrics", "trtllm")) return "trtllm";
  return "vllm";
}

std::vector<OptionRule> sim_options() {
  return {{{"--dtype"}, "dtype", Form::kDtype},
          {{"--quantization"}, "quantization", Form::kAbsentNone},
          {{"--kv-cache-dtype"}, "kv_cache_dtype", Form::kDtype},
          {{"--max-model-len"}, "max_model_len", Form::kText},
          {{"--max-num-seqs"}, "max_running", Form::kText},
          {{"--prefix-caching"}, "prefix_cache", Form::kSwitch},
          {{"--chunked-prefill"}, "chunked_prefill", Form::kSwitch},
          {{"--speculative"}, "speculative", Form::kText},
          {{"--stream-interval"}, "stream_interval", Form::kText},
          {{"--sampling-defaults"}, "sampling_defaults", Form::kSampling},
          {{"--truncate"}, "truncation", Form::kText, "cuts"},
          {{"--answers"}, "weights_hash", Form::kText}};  // its only weights: a word
}

// As docs/simulate.md has them.
std::vector<KnownRule> sim_defaults(const std::string& profile) {
  const bool chunked = profile == "vllm" || profile == "sglang";
  return {{"dtype", "bfloat16"},          {"quantization", "none"},
          {"kv_cache_dtype", "bfloat16"}, {"prefix_cache", "on"},
          {"speculative", "off"},         {"stream_interval", "1"},
          {"weights_hash", "even"},       {"chunked_prefill", chunked ? "on" : "off"}};
}

SettingRules rules_of(const std::string& profile, const Evidence& evidence) {
  if (profile == "tgi") return tgi_setting_rules(evidence);
  if (profile == "trtllm") return trtllm_setting_rules(evidence);
  if (profile == "sglang") return sglang_setting_rules(evidence);
  return vllm_setting_rules(evidence);
}

}  // namespace

SettingRules openai_setting_rules(const Evidence&) {
  SettingRules rules;
  rules.routes = {"/v1/models"};
  rules.said = {{"/v1/models", "/data/0/max_model_len", "max_model_len", Form::kText}};
  return rules;
}

SettingRules sim_setting_rules(const Evidence& evidence) {
  SettingRules rules = rules_of(profile_of(evidence), evidence);
  if (evidence.argv.empty() && evidence.bodies.empty()) {  // nothing is known of it yet
    rules.routes = {"/v1/models",          "/info",
                    "/server_info",        "/server_info?config_format=json",
                    "/prometheus/metrics", "/metrics"};
  }
  // Its flags are not those of the engine that it stands for, nor its defaults.
  rules.options = sim_options();
  rules.options_in_env = false;
  rules.defaults = sim_defaults(profile_of(evidence));
  return rules;
}

}  // namespace evenbench::engine
