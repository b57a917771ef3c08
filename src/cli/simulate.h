// The `simulate` verb: flags to a simulated engine, its port on stdout, its log on stderr. Knows no
// engine's dialect.
#pragma once

#include <string>

#include "base/time.h"
#include "sim/server.h"

namespace CLI {
class App;
}

namespace evenbench::cli {

struct SimulateArgs {
  std::string profile = "vllm";
  sim::ServerOptions server;
  double start_delay_s = 0;
  std::string key_env;
  std::string prefix_caching, chunked_prefill;  // on | off | "" = the engine's own
  std::string sampling_defaults = "model";
};

void add_simulate_options(CLI::App& command, SimulateArgs& args);
// Serves until a signal comes; the exit code.
int simulate(const SimulateArgs& args, const Clock& clock);

}  // namespace evenbench::cli
