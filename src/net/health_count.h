// Counts, while a worker's connections read and write, what tells whether the client kept up.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/log_histogram.h"
#include "base/stamp.h"
#include "base/transport_health.h"
#include "net/kernel_clock.h"
#include "net/socket.h"

namespace evenbench::net {

class HealthCount {
 public:
  void note_read(const Stamp& at) {
    ++now_.reads;
    if (!observed(at.kernel)) return;
    ++now_.stamped_reads;
    delay_.add(at.user - at.kernel);
  }
  void note_queue(std::uint64_t bytes) {
    if (bytes > now_.receive_queue_max) now_.receive_queue_max = bytes;
  }
  void note_zero_window() { ++now_.zero_windows; }
  void note_limit_error() { ++now_.limit_errors; }
  void note_opened() {
    ++now_.connections_opened;
    if (++open_ > now_.connections_open_max) now_.connections_open_max = open_;
  }
  void note_closed() { --open_; }
  void note_segments(const Segments& since) {
    now_.segments_sent = now_.segments_sent.value_or(0) + since.sent;
    now_.segments_resent = now_.segments_resent.value_or(0) + since.resent;
  }

  // What was counted since the last time.
  TransportHealth take(KernelClock& clock);

 private:
  TransportHealth now_;
  LogHistogram delay_;
  std::uint64_t open_ = 0;
};

}  // namespace evenbench::net
