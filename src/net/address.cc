#include "net/address.h"

#include <fmt/format.h>
#include <netdb.h>
#include <sys/un.h>

#include <cstring>
#include <memory>

namespace evenbench::net {
namespace {

std::string text_of(const addrinfo& info) {
  char host[NI_MAXHOST] = {};
  char port[NI_MAXSERV] = {};
  const int failed = ::getnameinfo(info.ai_addr, info.ai_addrlen, host, sizeof host, port,
                                   sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  if (failed != 0) return "an address without a text form";
  return info.ai_family == AF_INET6 ? fmt::format("[{}]:{}", host, port)
                                    : fmt::format("{}:{}", host, port);
}

}  // namespace

Result<std::vector<Address>> resolve(const std::string& host, const std::string& port) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
  if (failed != 0) {
    return environment_error(
        fmt::format("the host '{}' (port {}) was not found: {}; check the name in the address, or "
                    "give the address as numbers",
                    host, port, ::gai_strerror(failed)));
  }
  std::vector<Address> out;
  for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
    Address address;
    std::memcpy(&address.storage, info->ai_addr, info->ai_addrlen);
    address.length = info->ai_addrlen;
    address.text = text_of(*info);
    out.push_back(std::move(address));
  }
  return out;
}

Result<std::vector<Address>> unix_address(const std::string& path) {
  sockaddr_un socket{};
  if (path.size() >= sizeof socket.sun_path) {
    return usage_error(fmt::format("the path of a Unix socket has at most {} bytes, not {}: {}",
                                   sizeof socket.sun_path - 1, path.size(), path));
  }
  socket.sun_family = AF_UNIX;
  std::memcpy(socket.sun_path, path.data(), path.size());
  Address address;
  std::memcpy(&address.storage, &socket, sizeof socket);
  address.length = sizeof socket;
  address.text = "unix:" + path;
  return std::vector<Address>{std::move(address)};
}

}  // namespace evenbench::net
