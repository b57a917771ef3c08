// wire::Transport over real sockets: one event loop, one thread, many connections, stamps next to
// the system call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "wire/request.h"
#include "wire/transport.h"

namespace evenbench::net {

struct Limits {  // 0 = none. All that are in force are printed at start.
  Nanos connect = std::chrono::seconds{10};
  Nanos total{0};
  Nanos idle{0};  // since the last response byte (or since sent)
  Nanos first_token{0};
};

struct Tls {
  bool verify = true;
  std::string ca_file;  // "" = the system's store
};

struct Retries {          // off by default; every attempt is counted
  std::uint32_t max = 0;  // extra attempts after 429 or 503
  Nanos wait = std::chrono::milliseconds{500};
};

struct TransportOptions {
  wire::Endpoint endpoint;
  Tls tls;
  Limits limits;
  Retries retries;
  bool expect_stream = true;
  std::uint32_t preopen = 0;  // connections to open before the first send
};

// Errors: name not found, CA file unreadable.
Result<std::unique_ptr<wire::Transport>> make_http_transport(const TransportOptions& options,
                                                             const Clock& clock);
// One for each of `count` workers; `options.preopen` is dealt among them, evenly. Errors: as above.
Result<std::vector<std::unique_ptr<wire::Transport>>> make_http_transports(
    const TransportOptions& options, std::uint32_t count, const Clock& clock);

}  // namespace evenbench::net
