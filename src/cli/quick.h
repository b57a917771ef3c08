// `evenbench quick URL...`: a spec made from a command line. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/spec.h"

namespace evenbench::cli {

struct QuickArgs {
  std::vector<std::string> urls;
  std::string model;  // "" = the only one the server lists
  std::string api = "chat";
  std::vector<double> rates;  // requests/s
  std::vector<std::uint32_t> concurrency;
  std::optional<std::uint32_t> requests;  // exactly so many measured
  std::optional<double> duration_s;       // 30 s when no count is given
  std::string arrivals = "poisson";
  double warmup_s = 0;
  std::uint32_t input_tokens = 256;
  std::uint32_t output_tokens = 64;
  std::uint32_t max_in_flight = 0;
  std::string prompts_file;
  std::string key_env;
  std::vector<std::string> headers;  // "Name: value"
  double timeout_s = 0;              // 0 = none
  double idle_timeout_s = 0;         // 0 = none
  std::string ca_file;
  bool insecure = false;
  std::uint64_t seed = 42;
  std::uint32_t retries = 0;
  double retry_wait_s = 0.5;
  bool no_stream = false;
  bool ignore_eos = false;
  std::string output_field = "max_tokens";
  std::vector<std::string> allow_dropping;
  bool no_probe = false;
};

// Rates become ladder rungs, concurrencies closed-loop levels; neither: one rung of 1 request/s.
// Error: usage.
Result<Spec> quick_spec(const QuickArgs& args);

}  // namespace evenbench::cli
