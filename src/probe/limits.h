// Limits of this process that would limit the load and be blamed on the server. Knows nothing of
// what the files are for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"

namespace evenbench::probe {

// Makes sure that `needed` files can be open at once: raises the soft limit if it must. Gives what
// was done, "" when nothing was. Error: environment, names the limit and the number needed.
Result<std::string> ensure_open_files(std::uint64_t needed);

struct FileLimit {
  std::uint64_t soft = 0, hard = 0;
};
// The decision alone: the soft limit to set, which is the present one when it is enough.
Result<std::uint64_t> soft_limit_for(std::uint64_t needed, const FileLimit& present);

// The CPUs that this process may run on, ascending; empty where the system does not say.
std::vector<int> allowed_cpus();

}  // namespace evenbench::probe
