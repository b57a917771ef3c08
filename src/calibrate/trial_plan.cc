#include "calibrate/trial_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace evenbench::calibrate {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr Nanos kSlowInterval = milliseconds{100};
constexpr double kTokenStreams = 100;
// Streams start one after another, no faster than this: starting is not what is measured.
constexpr Nanos kBetweenStarts = microseconds{250};
constexpr Nanos kBetweenFew = microseconds{50};  // where there are only a hundred
constexpr Nanos kSettle = milliseconds{150};     // after the last start
constexpr Nanos kFirstToken = milliseconds{20};
constexpr Nanos kSecondToken = milliseconds{5};
constexpr std::uint32_t kSpareConnections = 16;

void tell_server(TrialPlan& out, Nanos ttft, Nanos interval) {
  out.server = {"--ttft",     fmt::format("{:.6f}", to_millis(ttft)),
                "--interval", fmt::format("{:.6f}", to_millis(interval)),
                "--tokens",   "0"};
}

// Streams that all last longer than the trial.
TrialPlan held_streams(std::uint32_t streams, Nanos between_starts, Nanos interval, Nanos window) {
  TrialPlan out;
  out.streams = out.connections = out.step.concurrency = streams;
  out.step.kind = load::StepKind::kClosed;
  out.step.ramp = 1 / to_seconds(between_starts);
  out.step.warmup.duration = between_starts * streams + interval + kSettle;
  out.step.measure = window;
  out.output_tokens =
      static_cast<std::uint32_t>(1.2 * to_seconds(out.length()) / to_seconds(interval)) + 10;
  tell_server(out, interval, interval);
  return out;
}

TrialPlan token_rate(double rate, Nanos window) {
  const Nanos interval = from_seconds(kTokenStreams / rate);
  // From start to start a hundredth of the interval, and whole ones more where that is too soon:
  // then no two streams are in step.
  Nanos between = from_seconds(to_seconds(interval) / kTokenStreams);
  if (between < kBetweenFew) between += interval * ((kBetweenFew - Nanos{1}) / interval + 1);
  return held_streams(static_cast<std::uint32_t>(kTokenStreams), between, interval, window);
}

TrialPlan request_rate(double rate, Nanos window) {
  TrialPlan out;
  out.step.kind = load::StepKind::kLadder;
  out.step.rate = Rate::per_second(rate);
  out.step.arrivals = {.law = arrivals::Law::kConstant};
  out.step.warmup.duration = kSettle;
  out.step.measure = window;
  out.step.cooldown_limit = std::chrono::seconds{2};
  out.output_tokens = 2;
  const double in_flight = rate * to_seconds(kFirstToken + kSecondToken);
  out.connections = static_cast<std::uint32_t>(std::ceil(1.5 * in_flight)) + kSpareConnections;
  tell_server(out, kFirstToken, kSecondToken);
  return out;
}

}  // namespace

Nanos TrialPlan::length() const {
  return *step.warmup.duration + *step.measure;
}

TrialPlan plan_trial(Quantity quantity, double level, Nanos window) {
  switch (quantity) {
    case Quantity::kStreams:
      return held_streams(static_cast<std::uint32_t>(level), kBetweenStarts, kSlowInterval, window);
    case Quantity::kTokenRate:
      return token_rate(level, window);
    case Quantity::kRequestRate:
      break;
  }
  return request_rate(level, window);
}

SearchRange range_of(Quantity quantity, std::uint32_t most_streams) {
  switch (quantity) {
    case Quantity::kStreams:
      return {.least = 8, .first = std::min(512.0, 1.0 * most_streams), .most = 1.0 * most_streams};
    case Quantity::kTokenRate:
      return {.least = 1'000, .first = 20'000, .most = 2'000'000};
    case Quantity::kRequestRate:
      break;
  }
  return {.least = 50, .first = 1'000, .most = 50'000};
}

}  // namespace evenbench::calibrate
