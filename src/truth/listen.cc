// Where the server listens.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "truth/receive.h"
#include "truth/server.h"

namespace evenbench::truth {
namespace {

constexpr int kBacklog = 4096;

Error no_listener(const std::string& where) {
  return environment_error(fmt::format("{}: {}", where, std::strerror(errno)));
}

}  // namespace

Result<std::string> Server::listen() {
  epoll_ = ::epoll_create1(EPOLL_CLOEXEC);
  const bool is_unix = !options_.unix_path.empty();
  listener_ = ::socket(is_unix ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  // The sockets it accepts inherit this; asked for as they come, the first requests had no stamp.
  if (!options_.log.empty()) ask_for_stamps(listener_);
  auto where = is_unix ? listen_unix() : listen_port();
  if (!where) return where;
  epoll_event interest{.events = EPOLLIN, .data = {.fd = listener_}};
  if (::epoll_ctl(epoll_, EPOLL_CTL_ADD, listener_, &interest) != 0) return no_listener("epoll");
  return where;
}

Result<std::string> Server::listen_port() {
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(options_.port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (::bind(listener_, generic, size) != 0 || ::listen(listener_, kBacklog) != 0) {
    return no_listener(fmt::format("port {}", options_.port));
  }
  ::getsockname(listener_, generic, &size);
  return std::to_string(ntohs(address.sin_port));
}

Result<std::string> Server::listen_unix() {
  const std::string& path = options_.unix_path;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return environment_error(fmt::format("{}: longer than the {} bytes of a Unix socket's path",
                                         path, sizeof address.sun_path - 1));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  struct stat there {};
  // What an earlier server left.
  if (::lstat(path.c_str(), &there) == 0 && S_ISSOCK(there.st_mode)) ::unlink(path.c_str());
  if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listener_, kBacklog) != 0) {
    return no_listener(path);
  }
  return path;
}

}  // namespace evenbench::truth
