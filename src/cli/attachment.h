// What is needed to speak to one system of a spec: address, headers with the key, transport
// options. The key lives only here, in memory.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/spec.h"
#include "net/http_transport.h"
#include "wire/request.h"

namespace evenbench::cli {

struct Attachment {
  wire::Endpoint endpoint;
  wire::Headers headers;  // Authorization among them
  net::TransportOptions transport;
  std::string proxy_note;            // "proxy: none (...)": said once per system
  std::vector<std::string> secrets;  // what must never be written anywhere
};

// Error: usage (bad address) or environment (the variable that should hold the key is not set).
Result<Attachment> attachment_of(const Spec& spec, const SystemSpec& system);

// `error` with every secret in its message replaced: a server may echo the key it was sent.
Error without_secrets(Error error, const std::vector<std::string>& secrets);

}  // namespace evenbench::cli
