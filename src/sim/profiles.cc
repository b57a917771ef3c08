// The numbers have the scale of an 8-billion-parameter model in 16 bits on one accelerator with 2
// TB/s of memory: a decode step reads 16 GB of weights (about 8 ms), a prompt token costs about 0.1
// ms. They are invented: only the differences in shape are meant to be like the engines.
#include <fmt/format.h>

#include <array>

#include "sim/engine_model.h"

namespace evenbench::sim {
namespace {

using std::chrono::microseconds;

// Prompts in pieces beside the decodes, optimistic admission, preemption when the cache is full.
Profile vllm() {
  Profile p;
  p.name = "vllm";
  p.max_running = 256;
  p.kv_tokens = 160'000;
  p.step_token_budget = 1024;
  p.step_base = microseconds{8000};
  p.per_prefill_token = microseconds{100};
  p.per_decode_sequence = microseconds{300};
  p.per_context_kilotoken = microseconds{40};
  p.jitter = 0.03;
  return p;
}

// Faster kernels and a bigger batch, but a prompt runs whole while everyone's next token waits.
Profile trtllm() {
  Profile p;
  p.name = "trtllm";
  p.max_running = 384;
  p.kv_tokens = 200'000;
  p.kv_block = 32;
  p.step_token_budget = 8192;
  p.chunked_prefill = false;
  p.reserve_output = true;
  p.step_base = microseconds{6500};
  p.per_prefill_token = microseconds{90};
  p.per_decode_sequence = microseconds{260};
  p.per_context_kilotoken = microseconds{35};
  p.jitter = 0.02;
  return p;
}

// Prompts stop the decodes, and more than 128 requests (running and waiting) are refused.
Profile tgi() {
  Profile p;
  p.name = "tgi";
  p.max_running = 96;
  p.max_waiting = 32;
  p.kv_tokens = 80'000;
  p.step_token_budget = 4096;
  p.chunked_prefill = false;
  p.prefill_first = true;
  p.reserve_output = true;
  p.step_base = microseconds{11000};
  p.per_prefill_token = microseconds{110};
  p.per_decode_sequence = microseconds{500};
  p.per_context_kilotoken = microseconds{60};
  p.jitter = 0.05;
  return p;
}

// Prompts in pieces like vLLM's, a bigger budget, cheaper steps of the scheduler.
Profile sglang() {
  Profile p;
  p.name = "sglang";
  p.max_running = 320;
  p.kv_tokens = 180'000;
  p.kv_block = 1;
  p.step_token_budget = 2048;
  p.step_base = microseconds{7200};
  p.per_prefill_token = microseconds{95};
  p.per_decode_sequence = microseconds{280};
  p.per_context_kilotoken = microseconds{38};
  p.jitter = 0.03;
  return p;
}

Nanos divided(Nanos d, double by) {
  return from_seconds(to_seconds(d) / by);
}

}  // namespace

Result<Profile> profile_named(std::string_view name) {
  for (const auto& make : std::array{vllm, trtllm, tgi, sglang}) {
    Profile profile = make();
    if (profile.name == name) return profile;
  }
  return usage_error(
      fmt::format("no simulated engine is called \"{}\": use vllm, trtllm, tgi or sglang", name));
}

Profile sped_up(Profile profile, double speed) {
  EVENBENCH_CHECK(speed > 0.0, "speed {}", speed);
  for (Nanos* d : {&profile.step_base, &profile.per_prefill_token, &profile.per_decode_sequence,
                   &profile.per_context_kilotoken}) {
    *d = divided(*d, speed);
  }
  return profile;
}

}  // namespace evenbench::sim
