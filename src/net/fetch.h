// One request and its answer, blocking, for readiness, preflight and metrics: never beside a
// measurement on the same thread.
#pragma once

#include <string>

#include "base/exchange.h"
#include "base/result.h"
#include "net/http_transport.h"
#include "wire/request.h"

namespace evenbench::net {

struct FetchOptions {
  Tls tls;
  Nanos timeout = std::chrono::seconds{5};
};

struct Fetched {
  int status = 0;
  std::string content_type;
  std::string body;  // decoded from chunks, at most 4 MiB
};

// GET (empty body) or POST. Error: environment; names the full URL and what went wrong (refused,
// timed out, certificate …).
Result<Fetched> fetch(const wire::Endpoint& endpoint, std::string_view method,
                      std::string_view path, const wire::Headers& headers, std::string_view body,
                      const FetchOptions& options, const Clock& clock);

// One real inference request, with its text kept. The error is only for what cannot be an ending
// (bad CA file).
Result<Exchanged> fetch_stream(const TransportOptions& options, std::string_view http_request,
                               const Clock& clock);

// "none", or the address of the proxy that the environment names for this endpoint. evenbench
// reaches loopback targets directly; see docs/scope.md. `warning` gets a sentence when a NO_PROXY
// entry is not understood.
std::string proxy_for(const wire::Endpoint& endpoint, std::string_view http_proxy,
                      std::string_view https_proxy, std::string_view no_proxy,
                      std::string* warning);

}  // namespace evenbench::net
