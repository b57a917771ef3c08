#include "load/client_health.h"

#include <time.h>

#include <fstream>

namespace evenbench::load {

ThreadTimes thread_times() {
  ThreadTimes out;
  timespec used{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0) {  // lint-ok(real-time): client health
    out.cpu = std::chrono::seconds{used.tv_sec} + Nanos{used.tv_nsec};
  }
  std::ifstream file("/proc/thread-self/schedstat");
  std::int64_t running = 0;
  std::int64_t waiting = 0;
  if (file >> running >> waiting) out.run_queue_wait = Nanos{waiting};
  return out;
}

}  // namespace evenbench::load
