// The flags that say how this program itself runs while it sends; each stands before its key in
// the `client` part of a spec. Pure.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/spec.h"

namespace evenbench::cli {

struct ClientFlags {  // as typed; nullopt: not given
  std::optional<std::string> workers, stamp, cpus;
  bool realtime = false;
};

// Error: usage, names the flag.
Result<void> apply(const ClientFlags& flags, ClientSpec& spec);

}  // namespace evenbench::cli
