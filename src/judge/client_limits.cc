// Whether the client kept the plan, by its own clock and by what the kernel says of its threads.
#include <fmt/format.h>

#include <algorithm>

#include "judge/verdict.h"

namespace evenbench::judge {
namespace {

// Beyond `soft` the step is SUSPECT, beyond `hard` INVALID_CLIENT.
struct Limit {
  double soft, hard;
};
constexpr Limit kLateMs{1.0, 5.0};
constexpr Limit kCpuShare{0.60, 0.85};
constexpr Limit kQueueShare{0.005, 0.03};
constexpr Limit kStallMs{10.0, 100.0};
constexpr double kLeastBegun = 0.999;
constexpr double kLeastRate = 0.99;

constexpr const char* kMoreCores =
    "give the client more workers or cores of its own, or ask for less load";

void check(double value, Limit limit, const std::string& what, const char* remedy, Marks& marks) {
  if (value > limit.hard) {
    marks.mark(Label::kInvalidClient,
               fmt::format("the client was the limit: {}; {}", what, remedy));
  } else if (value > limit.soft) {
    marks.mark(Label::kSuspect,
               fmt::format("the client was close to its limit: {}; {}", what, remedy));
  }
}

void check_workers(const std::vector<record::WorkerHealthRow>& workers, Marks& marks) {
  double cpu = 0.0;
  double queued = 0.0;
  double stall = 0.0;
  for (const record::WorkerHealthRow& worker : workers) {
    stall = std::max(stall, to_millis(worker.max_loop_stall));
    if (worker.wall <= Nanos{0}) continue;
    const double wall = to_seconds(worker.wall);
    cpu = std::max(cpu, to_seconds(worker.cpu) / wall);
    queued = std::max(queued, to_seconds(worker.run_queue_wait) / wall);
  }
  check(cpu, kCpuShare, fmt::format("a worker used {:.1f} % of its CPU", 100 * cpu), kMoreCores,
        marks);
  check(queued, kQueueShare,
        fmt::format("a worker waited {:.2f} % of the time for a CPU", 100 * queued),
        "keep other programs, the server among them, off its cores", marks);
  check(stall, kStallMs, fmt::format("a worker's loop stood still for {:.1f} ms", stall),
        "keep other programs, the server among them, off its cores", marks);
}

// Both rates, as soon as the achieved one is more than 1 % below what was asked. The plan of a few
// random arrivals may miss the asked rate by itself; that is not held against the client.
void check_rate(const JudgedStep& step, const StepFacts& facts, bool capped, Marks& marks) {
  if (!step.sent_rate || !step.planned_rate || !facts.client.plan_rate) return;
  const double planned = std::min(*step.planned_rate, *facts.client.plan_rate);
  if (*step.sent_rate >= kLeastRate * planned) return;
  std::string reason = fmt::format("schedule not held: achieved {:.1f}/s of {:.1f}/s asked",
                                   *step.sent_rate, *step.planned_rate);
  if (capped) {
    reason += fmt::format(" with at most {} in flight (max_in_flight)", facts.client.max_in_flight);
  }
  marks.mark(Label::kSuspect, std::move(reason));
}

void check_skipped(const JudgedStep& step, const StepFacts& facts, Marks& marks) {
  const std::uint64_t begun = facts.client.begun;
  if (!facts.open_loop || !facts.finished || begun >= step.planned) return;
  const bool hard = static_cast<double>(begun) < kLeastBegun * static_cast<double>(step.planned);
  marks.mark(hard ? Label::kInvalidClient : Label::kSuspect,
             fmt::format("the client sent {} of {} planned requests; {}", begun, step.planned,
                         kMoreCores));
}

}  // namespace

bool cap_bit(const JudgedStep& step, const StepFacts& facts) {
  const ClientFacts& client = facts.client;
  return client.max_in_flight > 0 && client.peak_in_flight >= client.max_in_flight &&
         step.lateness.p99.value_or(0.0) > kLateMs.soft;
}

void mark_client(const JudgedStep& step, const StepFacts& facts,
                 const std::vector<record::WorkerHealthRow>& workers, Marks& marks) {
  const bool capped = cap_bit(step, facts);
  check_rate(step, facts, capped, marks);
  if (capped) {
    marks.mark(Label::kSuspect,
               fmt::format("requests waited in the client for one of {} places in flight, the last "
                           "1 % of them {:.1f} ms or more; latencies from the planned instant "
                           "contain that wait",
                           facts.client.max_in_flight, *step.lateness.p99));
  } else {
    if (const auto late = facts.client.begun_late_p99_ms) {
      check(*late, kLateMs, fmt::format("it sent late, P99 {:.1f} ms", *late), kMoreCores, marks);
    }
    check_skipped(step, facts, marks);
  }
  check_workers(workers, marks);
}

}  // namespace evenbench::judge
