#include "judge/client_health.h"

#include <algorithm>

namespace evenbench::judge {
namespace {

template <typename T>
void take_larger(std::optional<T>& most, const std::optional<T>& value) {
  if (value && (!most || *value > *most)) most = value;
}
template <typename T>
void take_smaller(std::optional<T>& least, const std::optional<T>& value) {
  if (value && (!least || *value < *least)) least = value;
}
void take_larger(std::optional<double>& most, const std::optional<Nanos>& value) {
  if (value) take_larger(most, std::optional(to_millis(*value)));
}
void sum_up(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& value) {
  if (value) sum = sum.value_or(0) + *value;
}

void add(ClientHealth& health, const TransportHealth& t) {
  take_larger(health.delay_p50_ms, t.delay_p50);
  take_larger(health.delay_p99_ms, t.delay_p99);
  take_larger(health.delay_max_ms, t.delay_max);
  take_larger(health.receive_queue_max, std::optional(t.receive_queue_max));
  take_larger(health.clock_move_max_ms, std::optional(std::chrono::abs(t.clock_move_max)));
  take_larger(health.clock_error_max_ms, t.clock_error_max);
  take_smaller(health.files_limit, t.files_limit);
  sum_up(health.reads, t.reads);
  sum_up(health.stamped_reads, t.stamped_reads);
  sum_up(health.zero_windows, t.zero_windows);
  sum_up(health.segments_sent, t.segments_sent);
  sum_up(health.segments_resent, t.segments_resent);
  sum_up(health.connections_opened, t.connections_opened);
  sum_up(health.connections_open_max, t.connections_open_max);
  sum_up(health.limit_errors, t.limit_errors);
}

}  // namespace

std::string_view name_of(Signal signal) {
  switch (signal) {
    case Signal::kLateness:
      return "lateness";
    case Signal::kSends:
      return "sends";
    case Signal::kDelay:
      return "kernel_to_user_delay";
    case Signal::kLoopStall:
      return "loop_stall";
    case Signal::kCpu:
      return "cpu";
    case Signal::kCpuPeak:
      return "cpu_peak";
    case Signal::kRunQueue:
      return "run_queue_wait";
    case Signal::kReceiveQueue:
      return "receive_queue";
    case Signal::kZeroWindow:
      return "zero_window";
    case Signal::kRetransmits:
      return "retransmits";
    case Signal::kFiles:
      return "open_files";
    case Signal::kLimitErrors:
      return "limit_errors";
    case Signal::kClock:
      return "clock_move";
    case Signal::kConnections:
      return "connections_in_window";
  }
  return "";
}

const BrokenLimit* ClientHealth::broken_limit(Signal signal) const {
  const auto it = std::find_if(broken.begin(), broken.end(),
                               [signal](const BrokenLimit& b) { return b.signal == signal; });
  return it == broken.end() ? nullptr : &*it;
}

void add_workers(ClientHealth& health, const std::vector<record::WorkerHealthRow>& workers) {
  health.workers = workers.size();
  health.realtime =
      !workers.empty() && std::all_of(workers.begin(), workers.end(),
                                      [](const auto& worker) { return worker.realtime; });
  for (const record::WorkerHealthRow& worker : workers) {
    take_larger(health.stall_max_ms, std::optional(worker.max_loop_stall));
    sum_up(health.stalls, worker.loop_stalls);
    take_larger(health.cpu_peak_share, worker.cpu_peak_share);
    take_larger(health.nice, worker.nice);
    if (worker.transport) add(health, *worker.transport);
    if (worker.wall <= Nanos{0}) continue;
    const double wall = to_seconds(worker.wall);
    take_larger(health.cpu_share, std::optional(to_seconds(worker.cpu) / wall));
    take_larger(health.run_queue_share, std::optional(to_seconds(worker.run_queue_wait) / wall));
  }
}

}  // namespace evenbench::judge
