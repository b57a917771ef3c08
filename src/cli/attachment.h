// What is needed to speak to one system of a spec: address, headers with the key, transport
// options. The key lives only here, in memory.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/credentials.h"
#include "cli/remote.h"
#include "cli/spec.h"
#include "net/here.h"
#include "net/http_transport.h"
#include "wire/request.h"

namespace evenbench::cli {

struct Attachment {
  wire::Endpoint endpoint;
  wire::Headers headers;  // Authorization among them
  std::string key_env;    // variable that the key came from; "" = no key is sent
  Remote remote;
  net::TransportOptions transport;
  std::string proxy_note;            // "proxy: none (...)": said once per system
  std::vector<std::string> secrets;  // what must never be written anywhere
};

// A named key must be there. Where none is named, a remote system and one whose address comes from
// the environment are sent the usual key, if there is one: no other system is shown it. Error:
// usage (bad address) or environment (the variable that should hold the key is not set). `own`:
// names and addresses of this machine.
Result<Attachment> attachment_of(const Spec& spec, const SystemSpec& system,
                                 const Credentials& credentials,
                                 const std::vector<std::string>& own = net::own_names());

// `error` with every secret in its message replaced: a server may echo the key it was sent.
Error without_secrets(Error error, const std::vector<std::string>& secrets);

}  // namespace evenbench::cli
