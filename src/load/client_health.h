// What a worker thread can say of itself: CPU time used and time spent waiting for a CPU.
#pragma once

#include "base/time.h"

namespace evenbench::load {

struct ThreadTimes {
  Nanos cpu{0};
  Nanos run_queue_wait{0};  // 0 where the kernel does not tell
};

// Of the calling thread, since it began.
Nanos cpu_used();
ThreadTimes thread_times();

}  // namespace evenbench::load
