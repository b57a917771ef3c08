#include "net/here.h"

#include <ifaddrs.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <memory>
#include <optional>

namespace evenbench::net {
namespace {

namespace ip = boost::asio::ip;

std::optional<ip::address> as_address(const std::string& host) {
  boost::system::error_code failed;
  const auto address = ip::make_address(host, failed);
  if (failed) return std::nullopt;
  // A socket of IPv6 that speaks IPv4 is still the same machine.
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  }
  return address;
}

bool same_name(const std::string& a, const std::string& b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

}  // namespace

bool is_loopback(const std::string& host) {
  const auto address = as_address(host);
  return address ? address->is_loopback() : host == "localhost" || host.ends_with(".localhost");
}

bool is_here(const wire::Endpoint& endpoint, std::span<const std::string> own) {
  if (!endpoint.unix_socket.empty() || is_loopback(endpoint.host)) return true;
  const auto address = as_address(endpoint.host);
  if (address && address->is_unspecified()) return true;
  return std::ranges::any_of(own, [&](const std::string& name) {
    return address ? as_address(name) == address : same_name(name, endpoint.host);
  });
}

std::vector<std::string> own_names() {
  std::vector<std::string> out;
  std::array<char, 256> text{};
  if (gethostname(text.data(), text.size() - 1) == 0) out.emplace_back(text.data());
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return out;
  const std::unique_ptr<ifaddrs, decltype(&freeifaddrs)> all(first, freeifaddrs);
  for (const ifaddrs* one = first; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr) continue;
    const int family = one->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    const socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if (getnameinfo(one->ifa_addr, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) ==
        0) {
      out.emplace_back(text.data());
    }
  }
  return out;
}

}  // namespace evenbench::net
