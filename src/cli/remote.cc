#include "cli/remote.h"

#include <fmt/format.h>

#include "net/here.h"

namespace evenbench::cli {

namespace {

Remote judged(const SystemSpec& system, const wire::Endpoint& endpoint, bool here) {
  if (system.launched) return {false, "launched on this machine", true};
  if (system.remote) return {*system.remote, "the spec says so", here};
  if (!here) return {true, fmt::format("{} is no address of this machine", endpoint.host), false};
  const std::string path = endpoint.root_path("");
  if (system.engine == "openai" && !path.empty()) {
    return {true, fmt::format("its address has a path of its own ({}), as gateways have", path),
            true};
  }
  return {false, "its address is this machine's", true};
}

}  // namespace

Remote remote_of(const SystemSpec& system, const wire::Endpoint& endpoint,
                 std::span<const std::string> own) {
  return judged(system, endpoint, net::is_here(endpoint, own));
}

bool runs_here(const SystemSpec& system, std::span<const std::string> own) {
  if (system.launched) return true;
  const auto endpoint = wire::parse_endpoint(system.attach_url);
  return endpoint && net::is_here(*endpoint, own);
}

}  // namespace evenbench::cli
