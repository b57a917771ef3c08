#include "probe/limits.h"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>

#include <cerrno>
#include <cstring>

namespace evenbench::probe {

Result<std::uint64_t> soft_limit_for(std::uint64_t needed, const FileLimit& present) {
  if (present.soft >= needed) return present.soft;
  if (present.hard >= needed) return needed;
  return environment_error(
      fmt::format("this load needs {} open files at once, but the limit is {} and cannot be raised "
                  "above {} from here; raise the hard limit (`ulimit -Hn {}` as root, or "
                  "LimitNOFILE, or docker run --ulimit nofile={}), or lower the load",
                  needed, present.soft, present.hard, needed, needed));
}

Result<std::string> ensure_open_files(std::uint64_t needed) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::string();  // nothing known, nothing done
  const auto soft = soft_limit_for(needed, {limit.rlim_cur, limit.rlim_max});
  if (!soft) return soft.error();
  if (*soft == limit.rlim_cur) return std::string();
  const auto before = limit.rlim_cur;
  limit.rlim_cur = *soft;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return environment_error(fmt::format(
        "this load needs {} open files at once, but the limit of {} cannot be raised ({}); run "
        "`ulimit -n {}` first, or lower the load",
        needed, before, std::strerror(errno), needed));
  }
  return fmt::format("open-file limit raised from {} to {}", before, *soft);
}

std::vector<int> allowed_cpus() {
  cpu_set_t cpus;
  if (::sched_getaffinity(0, sizeof cpus, &cpus) != 0) return {};
  std::vector<int> out;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(static_cast<std::size_t>(cpu), &cpus)) out.push_back(cpu);
  }
  return out;
}

}  // namespace evenbench::probe
