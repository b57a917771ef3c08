// Socket addresses of a host name or of a path, with the text that messages show. The only place
// that asks the system's name service; it blocks, so it is used before any load.
#pragma once

#include <sys/socket.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace evenbench::net {

struct Address {
  sockaddr_storage storage{};
  socklen_t length = 0;
  std::string text;  // "127.0.0.1:8000", "[::1]:8000"
};

// Every address in the order in which to try them. Error: environment, when there is none.
Result<std::vector<Address>> resolve(const std::string& host, const std::string& port);
// The one address of a Unix socket. Error: usage, the path is too long for one.
Result<std::vector<Address>> unix_address(const std::string& path);

}  // namespace evenbench::net
