#include "calibrate/calibrate.h"

#include <fmt/format.h>

#include <algorithm>

namespace evenbench::calibrate {
namespace {

// Starting and stopping the server, connections, reading both logs.
constexpr Nanos kAroundATrial = std::chrono::milliseconds{400};
constexpr Nanos kShortestWindow = std::chrono::milliseconds{400};
constexpr Nanos kLongestWindow = std::chrono::seconds{3};
constexpr int kWindowsInBudget = 40;  // so that each search has time for eight trials or so

struct Searching {
  const CalibrateOptions& options;
  const Clock& clock;
  Nanos window;
  std::optional<Error> error;

  std::optional<Trial> try_level(Quantity quantity, double level, MonoTime end) {
    if (error) return std::nullopt;
    if (options.interrupted()) {
      error = Error{ErrorCode::kInterrupted, "interrupted; no calibration was stored"};
      return std::nullopt;
    }
    const TrialPlan plan = plan_trial(quantity, level, window);
    if (clock.now() + plan.length() + kAroundATrial > end) return std::nullopt;
    const auto seen = options.run(plan);
    if (!seen) {
      error = seen.error();
      return std::nullopt;
    }
    const Trial trial = verdict_of(*seen, plan.streams);
    options.tell(fmt::format("{}: {} ({})", text_of(quantity, level),
                             trial.verdict == Verdict::kHeld ? "holds" : trial.why,
                             text_of(*seen)));
    return trial;
  }
};

}  // namespace

Result<void> find_limits(const CalibrateOptions& options, const Clock& clock, Calibration& out) {
  const MonoTime begin = clock.now();
  Searching searching{
      options, clock,
      std::clamp(options.budget / kWindowsInBudget, kShortestWindow, kLongestWindow), std::nullopt};
  int part = 0;
  for (const Quantity quantity : kQuantities) {
    const MonoTime end = begin + options.budget * ++part / static_cast<int>(kQuantities.size());
    out.limit(quantity) = find_limit(range_of(quantity, options.most_streams), [&](double level) {
      return searching.try_level(quantity, level, end);
    });
    if (searching.error) return *searching.error;
  }
  return {};
}

}  // namespace evenbench::calibrate
