#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "engine/owned_fd.h"
#include "engine/readiness.h"

namespace evenbench::engine {
namespace {

// 0, or why nothing can listen there.
int try_to_listen(const addrinfo& address) {
  const OwnedFd fd(::socket(address.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (fd.get() < 0) return errno;
  // Connections of an engine that has just stopped may linger; they are in nobody's way.
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd.get(), address.ai_addr, address.ai_addrlen) != 0) return errno;
  return ::listen(fd.get(), 1) == 0 ? 0 : errno;
}

}  // namespace

Result<void> check_port_free(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int unknown = ::getaddrinfo(host.empty() ? nullptr : host.c_str(),
                                    std::to_string(port).c_str(), &hints, &found);
  if (unknown != 0) {
    return environment_error(
        fmt::format("host {}: {}; correct the system's host", host, ::gai_strerror(unknown)));
  }
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    const int error = try_to_listen(*address);
    if (error == 0 || error == EAFNOSUPPORT) continue;
    if (error == EADDRINUSE) {
      return environment_error(
          fmt::format("port {} on {} is already in use by another server, which was left alone; "
                      "stop it (`ss -ltnp` names it) or give the system another port",
                      port, host));
    }
    return environment_error(
        fmt::format("no engine can listen on {} port {} ({}); choose another "
                    "host or port",
                    host, port, std::strerror(error)));
  }
  return {};
}

}  // namespace evenbench::engine
