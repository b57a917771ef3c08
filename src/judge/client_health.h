// What the client saw of itself during a step, over all its workers, and which of its limits were
// passed. What nobody observed is absent, never 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "record/rows.h"

namespace evenbench::judge {

// The signals that have a limit: docs/metrics.md, section "Client limits".
enum class Signal : std::uint8_t {
  kLateness,
  kSends,
  kDelay,
  kLoopStall,
  kCpu,
  kCpuPeak,
  kRunQueue,
  kReceiveQueue,
  kZeroWindow,
  kRetransmits,
  kFiles,
  kLimitErrors,
  kClock,
  kConnections
};
std::string_view name_of(Signal signal);  // lateness, sends, kernel_to_user_delay ...

struct BrokenLimit {
  Signal signal = Signal::kLateness;
  double value = 0.0, limit = 0.0;  // in the unit of docs/metrics.md
  bool hard = false;                // the step is INVALID_CLIENT, not SUSPECT
};

struct ClientHealth {
  std::uint64_t workers = 0;  // that left a record
  // Of the worker for which it is worst.
  std::optional<double> cpu_share, cpu_peak_share, run_queue_share;  // of 1
  std::optional<double> stall_max_ms;
  std::optional<double> delay_p50_ms, delay_p99_ms, delay_max_ms;  // kernel to user
  std::optional<std::uint64_t> receive_queue_max;                  // bytes
  std::optional<double> clock_move_max_ms, clock_error_max_ms;
  std::optional<std::uint64_t> files_limit;
  std::optional<int> nice;
  bool realtime = false;  // every worker under SCHED_FIFO
  // Sums over the workers.
  std::optional<std::uint64_t> stalls, reads, stamped_reads, zero_windows, segments_sent,
      segments_resent, connections_opened, connections_open_max, limit_errors;
  // Of the step's requests that began inside the window.
  std::uint64_t begun_in_window = 0, opened_in_window = 0;
  std::optional<double> begun_late_p99_ms;
  std::vector<BrokenLimit> broken;

  [[nodiscard]] const BrokenLimit* broken_limit(Signal signal) const;
};

// Leaves what is not of the workers as it is.
void add_workers(ClientHealth& health, const std::vector<record::WorkerHealthRow>& workers);

}  // namespace evenbench::judge
