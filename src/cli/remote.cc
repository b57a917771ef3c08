#include "cli/remote.h"

#include <fmt/format.h>

#include "net/here.h"

namespace evenbench::cli {

Remote remote_of(const SystemSpec& system, const wire::Endpoint& endpoint,
                 std::span<const std::string> own) {
  if (system.launched) return {false, "launched on this machine"};
  if (system.remote) return {*system.remote, "the spec says so"};
  if (!net::is_here(endpoint, own)) {
    return {true, fmt::format("{} is no address of this machine", endpoint.host)};
  }
  const std::string path = endpoint.root_path("");
  if (system.engine == "openai" && !path.empty()) {
    return {true, fmt::format("its address has a path of its own ({}), as gateways have", path)};
  }
  return {false, "its address is this machine's"};
}

}  // namespace evenbench::cli
