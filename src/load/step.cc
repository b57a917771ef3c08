#include "load/step.h"

#include <fmt/format.h>

#include <memory>
#include <thread>

#include "base/check.h"
#include "load/client_health.h"
#include "load/closed_runner.h"
#include "load/open_runner.h"
#include "load/worker_seat.h"

namespace evenbench::load {
namespace {

std::unique_ptr<Runner> make_runner(StepState& state, const WorkerPort& port, std::uint32_t worker,
                                    std::uint32_t workers) {
  if (state.plan.spec.kind == StepKind::kClosed) {
    return std::make_unique<ClosedRunner>(state, port, worker, workers);
  }
  return std::make_unique<OpenRunner>(state, port, worker, workers);
}

record::WorkerHealthRow run_one(StepState& state, Runner& runner, std::uint32_t worker,
                                const Clock& clock) {
  wire::Transport& transport = *state.job.workers[worker].transport;
  const WorkerSeat seat(state.job.seats, worker);
  const MonoTime from = clock.now();
  const ThreadTimes before = thread_times();
  LoopWatch watch(from, cpu_used);
  run_worker(runner, transport, from, watch);
  const ThreadTimes after = thread_times();
  record::WorkerHealthRow health;
  health.step_id = state.job.step_id;
  health.worker = worker;
  health.wall = clock.now() - from;
  health.cpu = after.cpu - before.cpu;
  health.run_queue_wait = after.run_queue_wait - before.run_queue_wait;
  health.max_loop_stall = watch.max_stall();
  health.loop_stalls = watch.stalls();
  health.cpu_peak_share = watch.busiest_second();
  health.transport = transport.take_health();
  health.realtime = seat.realtime();
  health.nice = seat.nice();
  if (seat.cpu()) health.extra_json = fmt::format(R"({{"cpu":{}}})", *seat.cpu());
  return health;
}

// The instants of a step that are known at `now`.
void fill_window(StepResult& out, const StepState& state) {
  const StepSpec& spec = state.plan.spec;
  out.begin = state.begin;
  out.window_begin = state.window_begin.get();
  if (spec.kind == StepKind::kClosed && spec.requests) {
    out.window_end = state.cohort_end.get();
  } else if (spec.kind == StepKind::kClosed) {
    if (observed(out.window_begin)) out.window_end = out.window_begin + *spec.measure;
  } else {
    out.window_end = state.begin + state.plan.window_end;
  }
}

}  // namespace

StepResult run_step(const StepJob& job, const Clock& clock, StepControl& control) {
  EVENBENCH_CHECK(job.plan != nullptr && !job.workers.empty(), "a step without plan or workers");
  StepState state(job, control);
  const auto workers = static_cast<std::uint32_t>(job.workers.size());
  // They prepare requests, which takes what it takes: the step's begin is set after it.
  std::vector<std::unique_ptr<Runner>> runners;
  for (std::uint32_t worker = 0; worker < workers; ++worker) {
    runners.push_back(make_runner(state, job.workers[worker], worker, workers));
  }
  state.begin_at(clock.now() + job.lead);
  StepResult out;
  fill_window(out, state);
  out.cohort_planned = job.plan->cohort;
  if (job.on_started) job.on_started(out);

  out.health.resize(workers);
  std::vector<std::thread> threads;  // lint-ok(thread): one per worker, joined below
  for (std::uint32_t worker = 1; worker < workers; ++worker) {
    threads.emplace_back(
        [&, worker] { out.health[worker] = run_one(state, *runners[worker], worker, clock); });
  }
  out.health[0] = run_one(state, *runners[0], 0, clock);
  for (auto& thread : threads) thread.join();

  fill_window(out, state);
  out.end = observed(state.cohort_end.get()) ? state.cohort_end.get() : clock.now();
  if (job.plan->spec.kind == StepKind::kClosed) out.cohort_planned = state.measured_taken.load();
  if (job.plan->spec.requests) out.cohort_planned = *job.plan->spec.requests;
  out.finished = state.stop() == StepControl::kRun;
  return out;
}

}  // namespace evenbench::load
