// Runs one planned step over one or more transports, one thread each, and hands every request to
// the run file. The runner of each worker is pure: it is driven by Transport::run_until and knows
// no clock of its own, so it also runs in virtual time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "load/failure_watch.h"
#include "load/plan.h"
#include "load/worker_seat.h"
#include "record/rows.h"
#include "record/writer.h"
#include "wire/transport.h"

namespace evenbench::load {

// For the live view and for stopping; shared by the workers of a step, relaxed atomics.
struct StepControl {
  enum Stop : int { kRun = 0, kFinishOpen = 1, kCutNow = 2 };
  std::atomic<int> stop{
      kRun};  // kFinishOpen: no new sends, open ones get `grace`; kCutNow: cut at once
  Nanos grace = std::chrono::seconds{5};
  std::atomic<std::uint64_t> sent{0};
  std::atomic<std::uint64_t> good{0};
  std::atomic<std::uint64_t> failed{0};
  std::atomic<std::int64_t> in_flight{0};
  std::atomic<std::uint64_t> output_tokens{0};
  FailureWatch failures;  // a key that is lost ends the step as kFinishOpen does
};

// Turns request `index` of the step into its bytes: ahead of the send, by any worker, and not each
// of them is then sent.
using Serialise = std::function<std::string(std::uint32_t index, const workload::Item&)>;

struct WorkerPort {
  wire::Transport* transport = nullptr;
  record::RequestSink* sink = nullptr;
};

struct StepResult {
  MonoTime begin = kNever;
  MonoTime window_begin = kNever;
  MonoTime window_end = kNever;
  MonoTime end = kNever;
  std::uint32_t cohort_planned = 0;
  bool finished = false;  // false: stopped by StepControl
  std::vector<record::WorkerHealthRow> health;
};

struct StepJob {
  const StepPlan* plan = nullptr;
  std::int64_t step_id = 0;
  Serialise serialise;
  const workload::Workload* workload = nullptr;  // closed loop only: where items come from
  std::vector<std::string> secrets;     // never recorded: an answer may echo the key it was sent
  std::span<const WorkerPort> workers;  // request i goes to worker i % size
  SeatChoice seats;
  Nanos lead = std::chrono::milliseconds{
      50};  // between the last preparation and the step's begin, for threads to get ready
  std::function<void(const StepResult&)>
      on_started;  // begin and window known, nothing sent yet; may be empty
};

// Blocks until the step is over. Every planned request that was due is in the sinks with an ending
// when it returns.
StepResult run_step(const StepJob& job, const Clock& clock, StepControl& control);

}  // namespace evenbench::load
