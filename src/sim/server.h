// A simulated engine behind real sockets: generation, and the routes of its dialect.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "sim/engine_model.h"
#include "sim/settings.h"

namespace evenbench::sim {

struct ServerOptions {
  Profile profile;
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0: the system chooses
  std::uint64_t seed = 1;
  std::string model = "sim-model";
  Nanos start_delay{0};  // /health answers 503 and generation hangs until then
  double speed = 1.0;    // divides every modelled duration
  Settings settings;
};

// What the engine would write into its log when it starts, line by line.
Result<std::vector<std::string>> start_log(const ServerOptions& options, std::uint16_t port,
                                           WallTime now);

// Serves until `stop` becomes true (checked at least every 50 ms) or for ever. `on_ready` gets the
// bound port.
Result<void> serve(const ServerOptions& options, const Clock& clock, const std::atomic<bool>& stop,
                   const std::function<void(std::uint16_t port)>& on_ready);

}  // namespace evenbench::sim
