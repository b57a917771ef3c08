// What the workers of one step share while it runs: instants of the step and counters, all atomic.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/time.h"
#include "load/plan.h"
#include "load/step.h"

namespace evenbench::load {

class AtomicInstant {
 public:
  [[nodiscard]] MonoTime get() const { return MonoTime{Nanos{ns_.load()}}; }
  void set(MonoTime t) { ns_.store(t.time_since_epoch().count()); }
  // Sets it if it is not known yet.
  void set_first(MonoTime t) {
    std::int64_t never = kNever.time_since_epoch().count();
    ns_.compare_exchange_strong(never, t.time_since_epoch().count());
  }
  void raise(MonoTime t) {
    const std::int64_t to = t.time_since_epoch().count();
    std::int64_t seen = ns_.load();
    while (seen < to && !ns_.compare_exchange_weak(seen, to)) {
    }
  }

 private:
  std::atomic<std::int64_t> ns_{kNever.time_since_epoch().count()};
};

struct StepState {
  StepState(const StepJob& of, StepControl& by) : job(of), plan(*of.plan), control(by) {
    cohort_left = plan.cohort;
  }
  // Once, when the workers have prepared what they can: until then no instant of the step is known.
  void begin_at(MonoTime start) {
    begin = start;
    if (!(plan.spec.kind == StepKind::kClosed && plan.spec.warmup.count)) {
      window_begin.set(begin + plan.window_begin);
    }
  }
  [[nodiscard]] StepControl::Stop stop() const {
    return static_cast<StepControl::Stop>(control.stop.load(std::memory_order_relaxed));
  }

  const StepJob& job;
  const StepPlan& plan;
  StepControl& control;
  MonoTime begin = kNever;
  AtomicInstant window_begin;  // a closed loop whose warm-up is counted learns it as it runs
  std::atomic<std::int64_t> cohort_left{0};  // requests of the cohort that are not over yet
  AtomicInstant cohort_end;                  // latest end of a request of the cohort
  std::atomic<std::int64_t> slots_used{0};   // under max_in_flight
  std::atomic<std::uint32_t> next_index{0};  // closed loop: over all workers
  std::atomic<std::uint32_t> warmup_taken{0};
  std::atomic<std::uint32_t> measured_taken{0};
};

}  // namespace evenbench::load
