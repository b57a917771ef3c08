// Where vLLM shows its settings: /server_info, the label set of vllm:cache_config_info, its log.
// Of the long lists of a real server only what settings and profile decide is written, in its order
// and its types.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/dialect.h"
#include "sim/json_text.h"

namespace evenbench::sim {

// As /server_info?config_format=json writes it; without the parameter it is one long text.
Json vllm_server_info(const Engine& engine, bool as_json);
std::vector<Label> vllm_cache_config(const Engine& engine);
std::vector<std::string> vllm_start_log(const Engine& engine, std::uint16_t port,
                                        std::int64_t now_s);

}  // namespace evenbench::sim
