// Whether the client kept the plan and kept up with what arrived, by its own clock, by what its
// transport counted and by what the kernel says of its threads. docs/metrics.md has every limit
// with its source.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "judge/verdict.h"

namespace evenbench::judge {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();

// Beyond `soft` the step is SUSPECT, beyond `hard` INVALID_CLIENT.
struct Limit {
  double soft = kNone, hard = kNone;
};
constexpr Limit kLateMs{1.0, 5.0};
constexpr double kLateOfTtft = 0.01;
constexpr Limit kDelayMs{1.0, 5.0};
constexpr double kDelayOfTtft = 0.02;
constexpr Limit kStallMs{10.0, 100.0};
constexpr Limit kCpuShare{0.60, 0.85};
constexpr Limit kCpuPeakShare{kNone, 0.95};
constexpr Limit kQueueShare{0.005, 0.03};
constexpr Limit kReceiveBytes{65'536.0, kNone};
constexpr Limit kZeroWindows{kNone, 0.0};
constexpr Limit kResent{0.0, kNone};
constexpr double kResentShare = 0.001;
constexpr Limit kFilesShare{0.80, kNone};
constexpr Limit kErrors{kNone, 0.0};
constexpr Limit kClockMs{0.2, 2.0};
constexpr Limit kOpenedShare{0.01, kNone};
// A share of few is chance: one handshake, or one lost segment, says nothing of the step.
constexpr std::uint64_t kLeastOpened = 5;
constexpr std::uint64_t kLeastResent = 5;
constexpr double kLeastBegun = 0.999;
constexpr double kLeastRate = 0.99;

constexpr const char* kMoreCores =
    "give the client more workers or cores of its own, run it on another host, or ask for less "
    "load";
constexpr const char* kOffCores =
    "keep other programs, the server among them, off its cores, use --realtime, or run it on "
    "another host";

double share_of(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string times(double count) {
  return count == 1.0 ? "once" : fmt::format("{:.0f} times", count);
}

// The numbers are not made of what this limit watches: it can cast doubt, not more.
Limit soft_only(Limit limit) {
  return {std::min(limit.soft, limit.hard), kNone};
}
Limit soft_only_if(bool untouched, Limit limit) {
  return untouched ? soft_only(limit) : limit;
}

// Hard also beyond a share of the median TTFT, but never below the soft limit.
Limit relative(Limit limit, double share, const std::optional<double>& ttft_p50_ms) {
  if (ttft_p50_ms) {
    limit.hard = std::min(limit.hard, std::max(limit.soft, share * *ttft_p50_ms));
  }
  return limit;
}

class LimitCheck {
 public:
  LimitCheck(Marks& marks, std::vector<BrokenLimit>& broken) : marks_(marks), broken_(broken) {}

  // An absent value passes.
  void check(Signal signal, const std::optional<double>& value, Limit limit,
             const std::function<std::string(double)>& what, const char* remedy) {
    if (!value) return;
    if (*value > limit.hard) {
      broken_.push_back({signal, *value, limit.hard, true});
      marks_.mark(Label::kInvalidClient,
                  fmt::format("the client was the limit: {}; {}", what(*value), remedy));
    } else if (*value > limit.soft) {
      broken_.push_back({signal, *value, limit.soft, false});
      marks_.mark(Label::kSuspect,
                  fmt::format("the client was close to its limit: {}; {}", what(*value), remedy));
    }
  }

 private:
  Marks& marks_;
  std::vector<BrokenLimit>& broken_;
};

std::optional<double> as_number(const std::optional<std::uint64_t>& count) {
  return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

void check_workers(const ClientHealth& health, bool kernel, LimitCheck& limits) {
  limits.check(
      Signal::kCpu, health.cpu_share, kCpuShare,
      [](double v) { return fmt::format("a worker used {:.1f} % of its CPU", 100 * v); },
      kMoreCores);
  limits.check(
      Signal::kCpuPeak, health.cpu_peak_share, kCpuPeakShare,
      [](double v) {
        return fmt::format("a worker used {:.1f} % of its CPU in its busiest second", 100 * v);
      },
      kMoreCores);
  limits.check(
      Signal::kRunQueue, health.run_queue_share, soft_only_if(kernel, kQueueShare),
      [](double v) {
        return fmt::format("a worker waited {:.2f} % of the time for a CPU", 100 * v);
      },
      kOffCores);
  limits.check(
      Signal::kLoopStall, health.stall_max_ms, kStallMs,
      [](double v) { return fmt::format("a worker's loop stood still for {:.1f} ms", v); },
      kOffCores);
}

void check_reads(const JudgedStep& step, const ClientHealth& health, bool kernel,
                 LimitCheck& limits) {
  limits.check(
      Signal::kDelay, health.delay_p99_ms,
      soft_only_if(kernel, relative(kDelayMs, kDelayOfTtft, step.ttft.p50)),
      [](double v) {
        return fmt::format("it read what had arrived late, P99 {:.1f} ms after the kernel had it",
                           v);
      },
      kMoreCores);
  limits.check(
      Signal::kReceiveQueue, as_number(health.receive_queue_max), kReceiveBytes,
      [](double v) { return fmt::format("{:.0f} bytes waited in one socket to be read", v); },
      kMoreCores);
  limits.check(
      Signal::kZeroWindow, as_number(health.zero_windows), kZeroWindows,
      [](double v) {
        return fmt::format("its receive window was closed {}, and the server had to wait for it",
                           times(v));
      },
      kMoreCores);
  // The monotonic clock does not follow; only what the kernel stamps by the wall clock does.
  limits.check(
      Signal::kClock, health.clock_move_max_ms, soft_only_if(!kernel, kClockMs),
      [](double v) { return fmt::format("the wall clock moved by {:.2f} ms within a second", v); },
      "let nothing set the clock during a run, or use --stamp user");
}

void check_network(const ClientHealth& health, LimitCheck& limits) {
  const auto resent = health.segments_resent;
  Limit limit = kResent;
  if (resent.value_or(0) >= kLeastResent && health.segments_sent) {
    limit.hard = kResentShare * static_cast<double>(*health.segments_sent);
  }
  limits.check(
      Signal::kRetransmits, as_number(resent), limit,
      [&health](double v) {
        return fmt::format(
            "{:.0f} of {} TCP segments had to be sent again", v,
            health.segments_sent ? fmt::format("{}", *health.segments_sent) : std::string("its"));
      },
      "the network lost them: look at the way to the server, or run the client nearer to it");
}

void check_resources(const ClientHealth& health, LimitCheck& limits) {
  limits.check(
      Signal::kLimitErrors, as_number(health.limit_errors), kErrors,
      [](double v) {
        return fmt::format("open files, ports or buffers were refused to it {}", times(v));
      },
      "raise `ulimit -n`, widen net.ipv4.ip_local_port_range, or run it on another host too");
  std::optional<double> used;
  if (health.connections_open_max && health.files_limit.value_or(0) > 0) {
    used = share_of(*health.connections_open_max, *health.files_limit);
  }
  limits.check(
      Signal::kFiles, used, kFilesShare,
      [&health](double v) {
        return fmt::format("its connections took {:.0f} % of the {} files it may open", 100 * v,
                           *health.files_limit);
      },
      "raise `ulimit -n`");
}

void check_connections(const ClientHealth& health, LimitCheck& limits) {
  if (health.opened_in_window < kLeastOpened || health.begun_in_window == 0) return;
  limits.check(
      Signal::kConnections, share_of(health.opened_in_window, health.begun_in_window), kOpenedShare,
      [&health](double v) {
        return fmt::format(
            "{} of {} requests opened a connection inside the window ({:.1f} %), and their "
            "latencies contain that",
            health.opened_in_window, health.begun_in_window, 100 * v);
      },
      "see that the server keeps connections alive");
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

void check_skipped(JudgedStep& step, const StepFacts& facts, Marks& marks) {
  const std::uint64_t begun = facts.client.begun;
  if (!facts.open_loop || !facts.finished || begun >= step.planned) return;
  const double share = share_of(begun, step.planned);
  const bool hard = share < kLeastBegun;
  step.client.broken.push_back({Signal::kSends, share, hard ? kLeastBegun : 1.0, hard});
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

void mark_client(JudgedStep& step, const StepFacts& facts, Marks& marks) {
  const bool capped = cap_bit(step, facts);
  const bool kernel = facts.client.kernel_stamps;
  ClientHealth& health = step.client;
  LimitCheck limits(marks, health.broken);
  check_rate(step, facts, capped, marks);
  if (capped) {
    marks.mark(Label::kSuspect,
               fmt::format("requests waited in the client for one of {} places in flight, the last "
                           "1 % of them {:.1f} ms or more; latencies from the planned instant "
                           "contain that wait",
                           facts.client.max_in_flight, *step.lateness.p99));
  } else {
    limits.check(
        Signal::kLateness, health.begun_late_p99_ms, relative(kLateMs, kLateOfTtft, step.ttft.p50),
        [](double v) { return fmt::format("it sent late, P99 {:.1f} ms", v); }, kMoreCores);
    check_skipped(step, facts, marks);
  }
  check_reads(step, health, kernel, limits);
  check_workers(health, kernel, limits);
  check_network(health, limits);
  check_resources(health, limits);
  check_connections(health, limits);
}

}  // namespace evenbench::judge
