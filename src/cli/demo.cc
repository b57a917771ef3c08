#include "cli/demo.h"

namespace evenbench::cli {

std::string_view demo_spec() {
  return R"(evenbench: 1
title: three simulated engines
systems:
  - { name: vllm-sim, engine: sim, profile: vllm, port: 18100, args: [--max-num-seqs, "96", --chunked-prefill, "on"] }
  - { name: trtllm-sim, engine: sim, profile: trtllm, port: 18101, args: [--max-num-seqs, "96", --chunked-prefill, "on"] }
  - { name: tgi-sim, engine: sim, profile: tgi, port: 18102, args: [--max-num-seqs, "96", --chunked-prefill, "on"] }
workload:
  lengths:
    input: { lognormal: { median: 400, sigma: 0.6, max: 1500 } }
    output: { lognormal: { median: 80, sigma: 0.5, max: 300 } }
request: { temperature: 0, top_p: 0.9 }
load:
  ladder: { rates: [1, 2, 4, 8, 12], arrivals: poisson, warmup: 2s, measure: 8s }
slo: { ttft_p95: 500ms, tpot_p95: 50ms }
seed: 42
)";
}

}  // namespace evenbench::cli
