#include "probe/host.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe/host_files.h"

namespace evenbench::probe {
namespace {

std::string shown(rlim_t limit) {
  return limit == RLIM_INFINITY ? "unlimited" : std::to_string(limit);
}

}  // namespace

std::vector<HostFact> host_facts() {
  std::vector<HostFact> facts = facts_below("/");
  if (const long cores = ::sysconf(_SC_NPROCESSORS_ONLN); cores > 0)
    facts.push_back({"cores", std::to_string(cores), "sysconf"});
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) {
    facts.push_back({"open_file_limit",
                     fmt::format("{} (at most {})", shown(files.rlim_cur), shown(files.rlim_max)),
                     "getrlimit"});
  }
  return facts;
}

}  // namespace evenbench::probe
