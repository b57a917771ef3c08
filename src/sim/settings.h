// What a simulated engine is told to be, beside the shape of its profile: the settings that a
// comparison must find out for itself. Each is shown where the real engine shows it (the dialects)
// or acts on the answers (front_end.h, words.h, gate.h). Knows no engine by name.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace evenbench::sim {

// What is absent has the engine's own default.
struct Settings {
  std::optional<std::string> dtype, quantization, kv_cache_dtype;
  std::optional<std::uint32_t> max_model_len, max_num_seqs;
  std::optional<bool> prefix_caching, chunked_prefill;
  std::optional<std::string> speculative;        // its method, such as ngram
  std::optional<std::uint32_t> stream_interval;  // tokens per event
  // Where sampling fields that a request leaves out come from: the model's folder or the engine.
  bool engine_sampling = false;
  bool truncate = false;  // a prompt that is too long is cut without a word, not refused

  double tokens_per_word = 1.0;   // of the tokenizer
  std::string answers = "even";   // the weights: other ones give other greedy texts
  bool gibberish = false;         // texts without a word in them
  bool empty_answers = false;     // the first token ends the answer
  std::uint32_t natural_end = 0;  // tokens after which an answer ends by itself; 0: at its limit
  bool dev_mode = false;          // vLLM: /server_info and what else VLLM_SERVER_DEV_MODE=1 opens

  std::string path_prefix;                   // "/gateway/v1": stands before every route
  std::string key;                           // "" = none is asked for
  std::optional<std::uint64_t> key_after;    // generations after which the key is refused
  std::optional<std::uint64_t> quota_after;  // generations that the account pays for
  int quota_status = 429;                    // or 403, as new-api says it
  std::optional<double> throttle_rate;       // generations per second; more are answered 429

  [[nodiscard]] bool caches_prefixes() const { return prefix_caching.value_or(true); }
};

}  // namespace evenbench::sim
