#include "net/health_count.h"

#include <sys/resource.h>

#include <utility>

namespace evenbench::net {

TransportHealth HealthCount::take(KernelClock& clock) {
  TransportHealth out = std::exchange(now_, TransportHealth{});
  now_.connections_open_max = open_;
  const LogHistogram delay = std::exchange(delay_, LogHistogram{});
  out.delay_p50 = delay.quantile(0.50);
  out.delay_p99 = delay.quantile(0.99);
  out.delay_max = delay.max();
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) out.files_limit = limit.rlim_cur;
  const KernelClock::Moves moves = clock.take_moves();
  out.clock_move_max = moves.largest;
  out.clock_error_max = moves.error;
  return out;
}

}  // namespace evenbench::net
