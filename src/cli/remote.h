// Whether a system is remote: another machine, or a gateway that hides which engine answers. Its
// figures hold a network and the load of others, and stand beside no local engine's. Pure.
#pragma once

#include <span>
#include <string>

#include "cli/spec.h"
#include "wire/request.h"

namespace evenbench::cli {

struct Remote {
  bool remote = false;
  std::string why;
  // Its address is this machine's, whatever stands behind it: its GPUs can be looked at from here.
  bool here = false;
};

// `own`: names and addresses of this machine (net::own_names).
Remote remote_of(const SystemSpec& system, const wire::Endpoint& endpoint,
                 std::span<const std::string> own);

// Remote::here of a system whose address may yet be missing or wrong; then it is not.
bool runs_here(const SystemSpec& system, std::span<const std::string> own);

}  // namespace evenbench::cli
