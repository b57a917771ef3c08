#include <fmt/format.h>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <optional>

#include "net/fetch.h"
#include "net/here.h"

namespace evenbench::net {
namespace {

namespace ip = boost::asio::ip;

std::string lower_trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  text = text.substr(first, text.find_last_not_of(" \t") - first + 1);
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::optional<ip::address> as_address(const std::string& host) {
  boost::system::error_code failed;
  const auto address = ip::make_address(host, failed);
  if (failed) return std::nullopt;
  return address;
}

enum class Verdict { kMatches, kOther, kNotUnderstood };

Verdict match_network(const std::string& entry, const std::string& host) {
  const auto address = as_address(host);
  boost::system::error_code failed;
  const auto v4 = ip::make_network_v4(entry, failed);
  if (!failed) {
    if (!address || !address->is_v4()) return Verdict::kOther;
    const ip::network_v4 of_host(address->to_v4(), v4.prefix_length());
    return of_host.network() == v4.network() ? Verdict::kMatches : Verdict::kOther;
  }
  const auto v6 = ip::make_network_v6(entry, failed);
  if (failed) return Verdict::kNotUnderstood;
  if (!address || !address->is_v6()) return Verdict::kOther;
  const ip::network_v6 of_host(address->to_v6(), v6.prefix_length());
  return of_host.network() == v6.network() ? Verdict::kMatches : Verdict::kOther;
}

// Takes ":port" off a name or an IPv4 address, and the brackets off an IPv6 address. False: the
// entry names another port.
bool take_port(std::string& entry, const std::string& port) {
  if (entry.starts_with('[')) {
    const auto end = entry.find(']');
    if (end == std::string::npos) return true;
    const std::string rest = entry.substr(end + 1);
    entry = entry.substr(1, end - 1);
    return rest.empty() || rest == ":" + port;
  }
  const auto colon = entry.find(':');
  if (colon == std::string::npos || entry.find(':', colon + 1) != std::string::npos) return true;
  const bool same = entry.substr(colon + 1) == port;
  entry.resize(colon);
  return same;
}

Verdict match_entry(std::string entry, const std::string& host, const std::string& port) {
  if (entry == "*") return Verdict::kMatches;
  if (entry.find('/') != std::string::npos) return match_network(entry, host);
  const bool port_matches = take_port(entry, port);
  if (const auto address = as_address(entry)) {
    return port_matches && as_address(host) == address ? Verdict::kMatches : Verdict::kOther;
  }
  if (entry.starts_with("*.")) entry.erase(0, 1);
  constexpr std::string_view kNameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-._";
  // A name made of digits and dots is an address that was mistyped.
  if (entry.find_first_not_of(kNameCharacters) != std::string::npos ||
      entry.find_first_not_of("0123456789.") == std::string::npos) {
    return Verdict::kNotUnderstood;
  }
  if (!port_matches) return Verdict::kOther;
  const std::string suffix = entry.starts_with('.') ? entry : "." + entry;
  return host == suffix.substr(1) || host.ends_with(suffix) ? Verdict::kMatches : Verdict::kOther;
}

// Proxies are printed and stored: a name and password in their address are not.
std::string without_credentials(std::string_view proxy) {
  const auto at = proxy.rfind('@');
  if (at == std::string_view::npos) return std::string(proxy);
  const auto scheme = proxy.find("://");
  const std::string_view start =
      scheme == std::string_view::npos ? std::string_view{} : proxy.substr(0, scheme + 3);
  return fmt::format("{}{}", start, proxy.substr(at + 1));
}

}  // namespace

std::string proxy_for(const wire::Endpoint& endpoint, std::string_view http_proxy,
                      std::string_view https_proxy, std::string_view no_proxy,
                      std::string* warning) {
  const std::string host = lower_trimmed(endpoint.host);
  bool excepted = is_loopback(host);
  std::string not_understood;
  while (!no_proxy.empty()) {
    const auto comma = no_proxy.find(',');
    const std::string entry = lower_trimmed(no_proxy.substr(0, comma));
    no_proxy = comma == std::string_view::npos ? std::string_view{} : no_proxy.substr(comma + 1);
    if (entry.empty()) continue;
    const Verdict verdict = match_entry(entry, host, endpoint.port);
    if (verdict == Verdict::kMatches) excepted = true;
    if (verdict == Verdict::kNotUnderstood) {
      not_understood += (not_understood.empty() ? "'" : ", '") + entry + "'";
    }
  }
  if (warning != nullptr && !not_understood.empty()) {
    *warning = fmt::format(
        "NO_PROXY: {} is not understood and matches nothing; write a name, a .suffix, an address "
        "or a network such as 10.0.0.0/8",
        not_understood);
  }
  const std::string_view proxy = endpoint.tls ? https_proxy : http_proxy;
  return excepted || proxy.empty() ? "none" : without_credentials(proxy);
}

}  // namespace evenbench::net
