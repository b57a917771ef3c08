// Where TensorRT-LLM shows what it does and how it is set: the statistics of its iterations, its
// Prometheus page, its log.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/dialect.h"

namespace evenbench::sim {

// A JSON list of iterations; read once, they are gone. The real route also waits for two seconds
// without news; this one does not.
std::string trtllm_drained(const Engine& engine, const Seen& seen);
std::string trtllm_prometheus(const Engine& engine, const Seen& seen);
std::vector<std::string> trtllm_start_log(const Engine& engine, std::uint16_t port,
                                          std::int64_t now_s);

}  // namespace evenbench::sim
