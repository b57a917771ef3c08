// What a transport saw of itself while it moved the bytes of one worker's step: whether the client
// kept up with what arrived. The contract between `net`, which measures, and `record`.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"

namespace evenbench {

struct TransportHealth {
  std::uint64_t reads = 0;          // that brought response bytes
  std::uint64_t stamped_reads = 0;  // of these, those the kernel stamped
  // Kernel's receive stamp to the program's own stamp, over the stamped reads.
  std::optional<Nanos> delay_p50, delay_p99, delay_max;
  std::uint64_t receive_queue_max = 0;  // bytes that waited in one socket, at a read
  std::uint64_t zero_windows = 0;  // times the client had closed its receive window: it throttled
                                   // the server
  std::optional<std::uint64_t> segments_sent, segments_resent;  // TCP_INFO, over all connections
  std::uint64_t connections_opened = 0;                         // ahead of the load too
  std::uint64_t connections_open_max = 0;
  std::uint64_t limit_errors = 0;            // EMFILE, ENFILE, EADDRNOTAVAIL, ENOBUFS
  std::optional<std::uint64_t> files_limit;  // of this process: RLIMIT_NOFILE
  // Of wall against monotonic time, from one look to the next; per second where they are further
  // apart.
  Nanos clock_move_max{0};
  std::optional<Nanos> clock_error_max;  // of the mapping of kernel stamps: half the widest bracket
};

}  // namespace evenbench
