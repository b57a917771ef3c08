#include <fmt/format.h>

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include "wire/request.h"

namespace evenbench::wire {
namespace {

// "v1", "v2", "v1beta": the last segment of a base address that names an API version.
bool is_version(std::string_view segment) {
  return segment.size() >= 2 && segment[0] == 'v' && segment[1] >= '0' && segment[1] <= '9';
}

std::string_view last_segment(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// The path without empty segments and without a slash at its end: "//a//v1/" -> "/a/v1".
std::string tidy(std::string_view path) {
  std::string out;
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    if (!segment.empty()) out += fmt::format("/{}", segment);
    path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
  }
  return out;
}

Error malformed(std::string_view base_url) {
  return usage_error(fmt::format(
      "'{}' is not a base address; write it as http://127.0.0.1:8000 or https://host/prefix/v1",
      base_url));
}

}  // namespace

Result<Endpoint> parse_endpoint(std::string_view base_url) {
  constexpr std::string_view kUnix = "unix:";
  if (base_url.starts_with(kUnix)) {
    const std::string_view path = base_url.substr(kUnix.size());
    if (!path.starts_with('/') || path.find('\0') != std::string_view::npos) {
      return usage_error(fmt::format(
          "'{}' is not the address of a Unix socket; write it as unix:/run/server.sock", base_url));
    }
    Endpoint out;
    out.host = "localhost";
    out.port = "80";
    out.unix_socket = path;
    out.prefix = "/v1";
    return out;
  }
  const auto parsed = boost::urls::parse_uri(base_url);
  if (!parsed) return malformed(base_url);
  const boost::urls::url_view url = *parsed;
  const std::string scheme = url.scheme();
  if ((scheme != "http" && scheme != "https") || url.encoded_host().empty() || url.has_query() ||
      url.has_fragment()) {
    return malformed(base_url);
  }
  if (url.has_userinfo()) {
    return usage_error(
        "a base address must hold no user name or key: name the variable that holds the key "
        "instead (key_env, --key-env)");
  }
  Endpoint out;
  out.tls = scheme == "https";
  out.host = url.host_address();
  out.port = url.port().empty() ? (out.tls ? "443" : "80") : std::string(url.port());
  // The library gives 0 for a number that is none of a port, but wraps one that is too long.
  if (url.has_port() && (url.port_number() == 0 || url.port().size() > 5 ||
                         std::stoi(std::string(url.port())) > 65535)) {
    return malformed(base_url);
  }
  out.prefix = tidy(std::string(url.encoded_path()));
  if (!is_version(last_segment(out.prefix))) out.prefix += "/v1";
  return out;
}

std::string Endpoint::path(std::string_view route) const {
  return prefix + tidy(route);
}

std::string Endpoint::root_path(std::string_view route) const {
  return prefix.substr(0, prefix.rfind('/')) + tidy(route);
}

std::string Endpoint::authority() const {
  const bool ipv6 = host.find(':') != std::string::npos;
  return ipv6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::string Endpoint::url(std::string_view at) const {
  if (!unix_socket.empty()) return fmt::format("unix:{} {}", unix_socket, at);
  return fmt::format("{}://{}{}", tls ? "https" : "http", authority(), at);
}

}  // namespace evenbench::wire
