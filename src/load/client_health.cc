#include "load/client_health.h"

#include <time.h>

#include <fstream>

namespace evenbench::load {

Nanos cpu_used() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);  // lint-ok(real-time): client health
  return std::chrono::seconds{used.tv_sec} + Nanos{used.tv_nsec};
}

ThreadTimes thread_times() {
  ThreadTimes out;
  out.cpu = cpu_used();
  std::ifstream file("/proc/thread-self/schedstat");
  std::int64_t running = 0;
  std::int64_t waiting = 0;
  if (file >> running >> waiting) out.run_queue_wait = Nanos{waiting};
  return out;
}

}  // namespace evenbench::load
