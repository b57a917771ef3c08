#include "load/worker_seat.h"

#include <sys/resource.h>

#include <algorithm>

namespace evenbench::load {
namespace {

constexpr int kNice = -10;
// The lowest of SCHED_FIFO: before every ordinary thread, behind what a user put higher. The kernel
// keeps 5 % of the time for the others (sched_rt_runtime_us), so that a fault here does not hang
// the machine.
constexpr int kFifoPriority = 1;

// On Linux, PRIO_PROCESS with 0 and pid 0 of sched_* mean the calling thread alone.
int present_nice() {
  return ::getpriority(PRIO_PROCESS, 0);
}

int policy() {
  return ::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
}

}  // namespace

WorkerSeat::WorkerSeat(const SeatChoice& choice, std::size_t worker)
    : nice_before_(present_nice()) {
  ::setpriority(PRIO_PROCESS, 0, std::min(nice_before_, kNice));
  if (choice.realtime && policy() == SCHED_OTHER) {
    const sched_param wish{.sched_priority = kFifoPriority};
    raised_ = ::sched_setscheduler(0, SCHED_FIFO, &wish) == 0;
  }
  if (choice.cpus.empty() || ::sched_getaffinity(0, sizeof cpus_before_, &cpus_before_) != 0)
    return;
  const int cpu = choice.cpus[worker % choice.cpus.size()];
  cpu_set_t wish;
  CPU_ZERO(&wish);
  CPU_SET(static_cast<std::size_t>(cpu), &wish);
  if (::sched_setaffinity(0, sizeof wish, &wish) == 0) cpu_ = cpu;
}

WorkerSeat::~WorkerSeat() {
  if (cpu_) ::sched_setaffinity(0, sizeof cpus_before_, &cpus_before_);
  if (raised_) {
    const sched_param ordinary{};
    ::sched_setscheduler(0, SCHED_OTHER, &ordinary);
  }
  ::setpriority(PRIO_PROCESS, 0, nice_before_);
}

int WorkerSeat::nice() const {
  return present_nice();
}

bool WorkerSeat::realtime() const {
  return policy() == SCHED_FIFO || policy() == SCHED_RR;
}

}  // namespace evenbench::load
