// From "started" to "may be measured": process alive, health 200, model listed, one real streamed
// request gave a token.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/adapter.h"
#include "engine/child_process.h"
#include "net/fetch.h"

namespace evenbench::engine {

struct ReadinessOptions {
  const Adapter* adapter = nullptr;
  net::TransportOptions transport;  // endpoint, TLS
  wire::Headers headers;            // Authorization among them: sent on every probe, shown nowhere
  std::string key_env;       // variable that the key came from, for remedies; "" = none was named
  wire::RequestShape shape;  // the run's exact options; model "" = take the only one listed
  std::uint32_t probe_output_tokens = 4;
  bool token_needed = true;            // false: a proper answer without a token will do
  std::vector<std::string> droppable;  // optional fields the user allows to drop when refused
  Nanos timeout = std::chrono::minutes{10};
  Nanos poll_every = std::chrono::milliseconds{100};
  ChildProcess* child =
      nullptr;  // nullptr when attached: then only a few attempts, no waiting for a start
  std::filesystem::path log;
  std::function<bool()> interrupted;           // polled; true = give up with kInterrupted
  std::function<void(std::string_view)> tell;  // progress lines
};

struct Ready {
  wire::RequestShape shape;  // what is really in force: model filled in, refused fields dropped
  std::vector<std::string> notes;  // e.g. "stream_options was refused and is not sent"
  std::uint32_t probe_requests = 0;
  std::string engine_version;  // "" = unknown
  std::string models_body;     // raw answer of the model list
  Exchanged probe;             // the streamed request
};

// Errors (environment) name the URL and the remedy: refused connection, 401/403 at once, 404 with
// the full URL, model not listed with the names that are, refused field by name, no token, engine
// died (with exit status and the log's tail), timeout.
Result<Ready> wait_until_ready(const ReadinessOptions& options, const Clock& clock);

// Error when something already listens there, naming the port and the remedy.
Result<void> check_port_free(const std::string& host, std::uint16_t port);

}  // namespace evenbench::engine
