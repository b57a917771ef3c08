#include "sim/vllm_shown.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace evenbench::sim {
namespace {

struct Shown {
  std::string dtype;
  Json quantization, speculative;
  std::string kv_dtype;
  bool prefix_caching, chunked_prefill;
  std::uint32_t blocks;
};

Shown shown_of(const Engine& engine) {
  const Settings& s = engine.settings;
  Shown out;
  out.dtype = "torch." + (!s.dtype || *s.dtype == "auto" ? "bfloat16" : *s.dtype);
  if (s.quantization) out.quantization = *s.quantization;
  if (s.speculative) {
    out.speculative = {{"method", *s.speculative},
                       {"num_speculative_tokens", engine.profile.tokens_per_event}};
  }
  out.kv_dtype = s.kv_cache_dtype.value_or("auto");
  out.prefix_caching = s.caches_prefixes();
  out.chunked_prefill = engine.profile.chunked_prefill;
  out.blocks = engine.profile.kv_tokens / engine.profile.kv_block;
  return out;
}

double most_concurrent(const Engine& engine) {
  return static_cast<double>(engine.profile.kv_tokens) / engine.profile.max_len;
}

Json model_config(const Engine& engine, const Shown& shown) {
  return {{"model", engine.model},
          {"tokenizer", engine.model},
          {"tokenizer_mode", "auto"},
          {"trust_remote_code", false},
          {"dtype", shown.dtype},
          {"seed", 0},
          {"max_model_len", engine.profile.max_len},
          {"quantization", shown.quantization},
          {"served_model_name", engine.model},
          {"generation_config", engine.settings.engine_sampling ? "vllm" : "auto"}};
}

Json cache_config(const Engine& engine, const Shown& shown) {
  return {{"block_size", engine.profile.kv_block},
          {"gpu_memory_utilization", 0.92},
          {"cache_dtype", shown.kv_dtype},
          {"enable_prefix_caching", shown.prefix_caching},
          {"num_gpu_blocks", shown.blocks},
          {"kv_cache_size_tokens", shown.blocks * engine.profile.kv_block},
          {"kv_cache_max_concurrency", most_concurrent(engine)}};
}

Json scheduler_config(const Engine& engine, const Shown& shown) {
  return {{"max_num_batched_tokens", engine.profile.step_token_budget},
          {"max_num_seqs", engine.profile.max_running},
          {"max_num_queued_reqs",
           engine.profile.max_waiting > 0 ? Json(engine.profile.max_waiting) : Json()},
          {"enable_chunked_prefill", shown.chunked_prefill},
          {"stream_interval", engine.settings.stream_interval.value_or(1)}};
}

std::string config_text(const Engine& engine, const Shown& shown) {
  return fmt::format(
      "model='{0}', speculative_config={1}, tokenizer='{0}', tokenizer_mode=auto, "
      "trust_remote_code=False, dtype={2}, max_seq_len={3}, tensor_parallel_size=1, "
      "pipeline_parallel_size=1, quantization={4}, enforce_eager=False, kv_cache_dtype={5}, "
      "seed=0, "
      "served_model_name={0}, enable_prefix_caching={6}, enable_chunked_prefill={7}",
      engine.model, python_repr(shown.speculative), shown.dtype, engine.profile.max_len,
      engine.settings.quantization.value_or("None"), shown.kv_dtype,
      python_repr(shown.prefix_caching), python_repr(shown.chunked_prefill));
}

// What was stated, as argparse names it.
Json stated(const Engine& engine, std::uint16_t port) {
  const Settings& s = engine.settings;
  Json args{{"model_tag", engine.model}, {"port", port}, {"model", engine.model}};
  if (s.dtype) args["dtype"] = *s.dtype;
  if (s.max_model_len) args["max_model_len"] = *s.max_model_len;
  if (s.quantization) args["quantization"] = *s.quantization;
  if (s.engine_sampling) args["generation_config"] = "vllm";
  if (s.kv_cache_dtype) args["kv_cache_dtype"] = *s.kv_cache_dtype;
  if (s.prefix_caching) args["enable_prefix_caching"] = *s.prefix_caching;
  if (s.max_num_seqs) args["max_num_seqs"] = *s.max_num_seqs;
  if (s.chunked_prefill) args["enable_chunked_prefill"] = *s.chunked_prefill;
  if (s.stream_interval) args["stream_interval"] = *s.stream_interval;
  if (s.speculative) args["speculative_config"] = shown_of(engine).speculative;
  return args;
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

}  // namespace

Json vllm_server_info(const Engine& engine, bool as_json) {
  const Shown shown = shown_of(engine);
  const Json environment{{"VLLM_SERVER_DEV_MODE", true}};
  const Json system{{"vllm_version", engine.version()}};
  if (!as_json) {
    return {{"vllm_config", config_text(engine, shown)},
            {"vllm_env", environment},
            {"system_env", system}};
  }
  const Json config{
      {"model_config", model_config(engine, shown)},
      {"cache_config", cache_config(engine, shown)},
      {"parallel_config", {{"pipeline_parallel_size", 1}, {"tensor_parallel_size", 1}}},
      {"scheduler_config", scheduler_config(engine, shown)},
      {"speculative_config", shown.speculative}};
  return {{"vllm_config", config}, {"vllm_env", environment}, {"system_env", system}};
}

std::vector<Label> vllm_cache_config(const Engine& engine) {
  const Shown shown = shown_of(engine);
  return {{"block_size", std::to_string(engine.profile.kv_block)},
          {"cache_dtype", shown.kv_dtype},
          {"enable_prefix_caching", python_repr(shown.prefix_caching)},
          {"gpu_memory_utilization", "0.92"},
          {"kv_cache_max_concurrency", python_float(most_concurrent(engine))},
          {"kv_cache_size_tokens", std::to_string(shown.blocks * engine.profile.kv_block)},
          {"num_gpu_blocks", std::to_string(shown.blocks)},
          {"num_gpu_blocks_override", "None"}};
}

std::vector<std::string> vllm_start_log(const Engine& engine, std::uint16_t port,
                                        std::int64_t now_s) {
  const Shown shown = shown_of(engine);
  const std::string mark =
      fmt::format("INFO {:%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(now_s)));
  const std::string server = "(APIServer pid=1) " + mark;
  const std::string core = "(EngineCore pid=2) " + mark;
  std::vector<std::string> lines{
      fmt::format("{} [api_utils.py:286] non-default args: {}", server,
                  python_repr(stated(engine, port))),
      fmt::format("{} [core.py:133] Initializing a V1 LLM engine (v{}) with config: {}", core,
                  engine.version(), config_text(engine, shown)),
      fmt::format("{} [kv_cache_utils.py:2327] GPU KV cache size: {} tokens, Maximum concurrency "
                  "for {} tokens per request: {:.2f}x",
                  core, with_commas(std::uint64_t{shown.blocks} * engine.profile.kv_block),
                  with_commas(engine.profile.max_len), most_concurrent(engine))};
  if (shown.chunked_prefill) {
    lines.push_back(
        fmt::format("{} [scheduler.py:216] Chunked prefill is enabled with "
                    "max_num_batched_tokens={}.",
                    server, engine.profile.step_token_budget));
  }
  if (!engine.settings.engine_sampling) {
    lines.push_back(
        fmt::format("{} [model.py:1487] Default vLLM sampling parameters have been overridden by "
                    "the model's `generation_config.json`: {{'temperature': 0.6, 'top_p': 0.9}}",
                    server));
  }
  lines.push_back(
      fmt::format("{} [api_server.py:1912] Starting vLLM server on port {}", server, port));
  lines.emplace_back("(APIServer pid=1) INFO:     Application startup complete.");
  return lines;
}

}  // namespace evenbench::sim
