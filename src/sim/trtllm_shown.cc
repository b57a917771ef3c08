#include "sim/trtllm_shown.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "sim/json_text.h"

namespace evenbench::sim {
namespace {

Json kv_stats(const Engine& engine, const EngineGauges& g) {
  const std::uint32_t most = engine.profile.kv_tokens / engine.profile.kv_block;
  const std::uint32_t used = g.kv_tokens_used / engine.profile.kv_block;
  return {{"maxNumBlocks", most},     {"freeNumBlocks", most - used},
          {"usedNumBlocks", used},    {"tokensPerBlock", engine.profile.kv_block},
          {"allocTotalBlocks", used}, {"allocNewBlocks", used},
          {"reusedBlocks", 0},        {"missedBlocks", used},
          {"cacheHitRate", 0.0}};
}

Json iteration_json(const Engine& engine, const Iteration& it) {
  const EngineGauges& g = it.gauges;
  Json json{{"timestamp", fmt::format("{:%m-%d-%Y %H:%M:%S}.000000",
                                      fmt::gmtime(static_cast<std::time_t>(it.at_s)))},
            {"iter", it.number},
            {"iterLatencyMS", static_cast<double>(engine.profile.step_base.count()) / 1e6},
            {"newActiveRequestsQueueLatencyMS", 0.0},
            {"numNewActiveRequests", 0},
            {"numActiveRequests", g.running},
            {"numQueuedRequests", g.waiting},
            {"numCompletedRequests", g.finished},
            {"maxNumActiveRequests", engine.profile.max_running}};
  for (const char* name :
       {"maxBatchSizeStatic", "maxBatchSizeTunerRecommended", "maxBatchSizeRuntime",
        "maxNumTokensStatic", "maxNumTokensTunerRecommended", "maxNumTokensRuntime", "gpuMemUsage",
        "cpuMemUsage", "pinnedMemUsage"}) {
    json[name] = 0;
  }
  json["kvCacheStats"] = kv_stats(engine, g);
  json["inflightBatchingStats"] = {{"numScheduledRequests", g.running},
                                   {"numContextRequests", 0},
                                   {"numGenRequests", g.running},
                                   {"numPausedRequests", 0},
                                   {"numCtxTokens", 0},
                                   {"microBatchId", 0},
                                   {"avgNumDecodedTokensPerIter", 1.0}};
  return json;
}

void config_info(const Engine& engine, Prometheus& m) {
  const Settings& s = engine.settings;
  m.family("trtllm_model_config_info", "gauge", "Model configuration");
  m.series("trtllm_model_config_info", 1,
           {{"model", engine.model},
            {"served_model_name", engine.model},
            {"dtype", s.dtype.value_or("bfloat16")},
            {"quantization", s.quantization.value_or("none")},
            {"max_model_len", std::to_string(engine.profile.max_len)},
            {"gpu_type", "simulated"}});
  m.family("trtllm_parallel_config_info", "gauge", "Parallelism configuration");
  m.series("trtllm_parallel_config_info", 1,
           {{"tensor_parallel_size", "1"}, {"pipeline_parallel_size", "1"}, {"gpu_count", "1"}});
  if (s.speculative) {
    m.family("trtllm_speculative_config_info", "gauge", "Speculative decoding configuration");
    m.series("trtllm_speculative_config_info", 1,
             {{"spec_enabled", "true"},
              {"spec_method", *s.speculative},
              {"spec_num_tokens", std::to_string(engine.profile.tokens_per_event)}});
  }
  m.family("trtllm_kv_cache_config_info", "gauge", "KV cache configuration");
  m.series("trtllm_kv_cache_config_info", 1,
           {{"page_size", std::to_string(engine.profile.kv_block)},
            {"enable_block_reuse", python_repr(s.caches_prefixes())},
            {"enable_partial_reuse", "True"},
            {"free_gpu_memory_fraction", "0.9"},
            {"cache_dtype", s.kv_cache_dtype.value_or("auto")}});
}

}  // namespace

std::string trtllm_drained(const Engine& engine, const Seen& seen) {
  Json all = Json::array();
  for (const Iteration& it : seen.tally.iterations) all.push_back(iteration_json(engine, it));
  seen.tally.iterations.clear();
  return dumped(all);
}

std::string trtllm_prometheus(const Engine& engine, const Seen& seen) {
  const Tally& t = seen.tally;
  const EngineGauges& g = seen.gauges;
  const std::uint32_t blocks = engine.profile.kv_tokens / engine.profile.kv_block;
  Prometheus m({{"engine_type", "undefined"}, {"model_name", engine.model}});
  m.gauge("trtllm_kv_cache_hit_rate", "KV cache hit rate", 0.0);
  m.gauge("trtllm_kv_cache_utilization", "KV cache utilization",
          static_cast<double>(g.kv_tokens_used) / engine.profile.kv_tokens);
  m.gauge("trtllm_num_requests_running", "Number of active requests", g.running);
  m.gauge("trtllm_num_requests_waiting", "Number of queued requests", g.waiting);
  m.histogram("trtllm_e2e_request_latency_seconds",
              "Histogram of end to end request latency in seconds.", t.whole);
  m.histogram("trtllm_time_to_first_token_seconds", "Histogram of time to first token in seconds.",
              t.first_token);
  m.histogram("trtllm_time_per_output_token_seconds",
              "Histogram of time per output token in seconds.", t.per_token);
  m.family("trtllm_request_success_total", "counter", "Count of successfully processed requests.");
  m.series("trtllm_request_success_total", static_cast<double>(t.stopped),
           {{"finished_reason", "stop"}});
  m.series("trtllm_request_success_total", static_cast<double>(t.reached_limit),
           {{"finished_reason", "length"}});
  m.counter("trtllm_prompt_tokens_total", "Cumulative number of prompt (input) tokens processed.",
            g.prompt_tokens);
  m.counter("trtllm_generation_tokens_total",
            "Cumulative number of generation (output) tokens produced.", g.generation_tokens);
  m.counter("trtllm_kv_cache_reused_blocks_total",
            "Cumulative number of KV cache blocks reused (cache hits)", 0);
  m.gauge("trtllm_kv_cache_max_blocks", "Number of KV cache blocks", blocks);
  m.gauge("trtllm_kv_cache_used_blocks", "Number of used KV cache blocks",
          g.kv_tokens_used / engine.profile.kv_block);
  m.gauge("trtllm_kv_cache_tokens_per_block", "Number of tokens per KV cache block",
          engine.profile.kv_block);
  config_info(engine, m);
  return m.take();
}

std::vector<std::string> trtllm_start_log(const Engine& engine, std::uint16_t port,
                                          std::int64_t now_s) {
  const std::string mark = fmt::format("[{:%m/%d/%Y-%H:%M:%S}] [TRT-LLM] [I] ",
                                       fmt::gmtime(static_cast<std::time_t>(now_s)));
  const Settings& s = engine.settings;
  return {
      mark + "TensorRT-LLM version: " + engine.version(),
      mark + fmt::format("PyTorchConfig(model='{}', dtype='{}', max_seq_len={}, max_batch_size={}, "
                         "max_num_tokens={}, enable_chunked_prefill={}, stream_interval={}, "
                         "kv_cache_config=KvCacheConfig(enable_block_reuse={}, dtype='{}'))",
                         engine.model, s.dtype.value_or("auto"), engine.profile.max_len,
                         engine.profile.max_running, engine.profile.step_token_budget,
                         python_repr(engine.profile.chunked_prefill), s.stream_interval.value_or(1),
                         python_repr(s.caches_prefixes()), s.kv_cache_dtype.value_or("auto")),
      fmt::format("[TensorRT-LLM][INFO] Number of tokens per block: {}.", engine.profile.kv_block),
      fmt::format("[TensorRT-LLM][INFO] [MemUsageChange] Allocated 24.00 GiB for max tokens in "
                  "paged KV cache ({}).",
                  engine.profile.kv_tokens),
      "INFO:     Application startup complete.",
      fmt::format("INFO:     Uvicorn running on port {}", port)};
}

}  // namespace evenbench::sim
