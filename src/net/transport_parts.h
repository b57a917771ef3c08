// What the transport and the blocking helpers share; not for other rooms.
#pragma once

#include <memory>

#include "base/result.h"
#include "net/connection.h"
#include "net/http_transport.h"

namespace evenbench::net {

// Errors: name not found, CA file unreadable.
Result<Target> make_target(const wire::Endpoint& endpoint, const Tls& tls);

// `keep_text`: collect the generated text.
Result<std::unique_ptr<wire::Transport>> make_transport(const TransportOptions& options,
                                                        bool keep_text, const Clock& clock);

}  // namespace evenbench::net
