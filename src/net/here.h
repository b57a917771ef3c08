// Whether an address is this very machine's. The decision is pure; own_names() asks the system.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "wire/request.h"

namespace evenbench::net {

// 127.0.0.0/8, ::1, localhost and names below it.
bool is_loopback(const std::string& host);

// `own`: names and addresses of this machine beyond loopback. A Unix socket is always here. No name
// is looked up: one that only a name service knows to be this machine is taken for another.
bool is_here(const wire::Endpoint& endpoint, std::span<const std::string> own);

// The host's name and the addresses of its interfaces.
std::vector<std::string> own_names();

}  // namespace evenbench::net
