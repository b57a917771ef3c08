// The adapters there are, one file each, and what several of them share. Only adapter.cc and the
// adapters themselves need this.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/adapter.h"

namespace evenbench::engine {

Adapter vllm_adapter();
Adapter trtllm_adapter();
Adapter tgi_adapter();
Adapter sglang_adapter();
Adapter llama_cpp_adapter();
Adapter openai_adapter();
Adapter sim_adapter();

// How the simulated engine may call its metrics: as the engines that it stands for.
MetricTable vllm_metric_table();
MetricTable trtllm_metric_table();
MetricTable tgi_metric_table();
MetricTable sglang_metric_table();

SettingRules vllm_setting_rules(const Evidence& evidence);
SettingRules trtllm_setting_rules(const Evidence& evidence);
SettingRules tgi_setting_rules(const Evidence& evidence);
SettingRules sglang_setting_rules(const Evidence& evidence);
SettingRules llama_cpp_setting_rules(const Evidence& evidence);
SettingRules openai_setting_rules(const Evidence& evidence);
SettingRules sim_setting_rules(const Evidence& evidence);

// A text member of a JSON object; "" when there is none.
std::string text_member(std::string_view json, std::string_view name);
// The version in {"version": "..."}, as several engines' version routes answer.
std::string version_member(std::string_view json);

// Adds `option` and its value; nothing where the spec does not state one.
void add_stated(std::vector<std::string>& argv, std::string_view option, const std::string& value);

// `argv` with the spec's own arguments at the end. Error: usage, when one of them sets an option
// that is already set ("--port 1", "--port=1"): the engine would answer elsewhere than it is asked.
Result<LaunchCommand> with_args(std::vector<std::string> argv,
                                const std::vector<std::string>& args);

// Error: usage, when the request names no model.
Result<void> needs_model_folder(std::string_view engine, const LaunchRequest& request);

}  // namespace evenbench::engine
