// The place of a sending thread among the other threads of the machine: before them in the queue,
// and on CPUs of its own where asked. Where client and engine share cores, a client that waits for
// a CPU blames its own delay on the engine.
#pragma once

#include <sched.h>

#include <optional>
#include <vector>

namespace evenbench::load {

struct SeatChoice {
  bool realtime = false;  // SCHED_FIFO, where permitted
  std::vector<int> cpus;  // worker i runs on cpus[i % size] alone; empty: wherever
};

// For the calling thread, until the end of the scope: an engine that is started later must not
// inherit it. What is not permitted is not done; ask what holds.
class WorkerSeat {
 public:
  WorkerSeat(const SeatChoice& choice, std::size_t worker);
  ~WorkerSeat();
  WorkerSeat(const WorkerSeat&) = delete;
  WorkerSeat& operator=(const WorkerSeat&) = delete;

  // The nice value in force, from -20 to 19.
  [[nodiscard]] int nice() const;
  [[nodiscard]] bool realtime() const;
  // The CPU it was put on; nullopt: on none in particular.
  [[nodiscard]] std::optional<int> cpu() const { return cpu_; }

 private:
  int nice_before_;
  bool raised_ = false;  // to SCHED_FIFO, by this seat
  std::optional<int> cpu_;
  cpu_set_t cpus_before_{};
};

}  // namespace evenbench::load
