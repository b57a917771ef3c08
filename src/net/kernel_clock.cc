#include "net/kernel_clock.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace evenbench::net {
namespace {

constexpr Nanos kRenewEvery = std::chrono::seconds{1};
constexpr Nanos kOldest = std::chrono::minutes{1};
constexpr int kTries = 16;

}  // namespace

MonoTime KernelClock::at(WallTime stamp, MonoTime user) {
  if (stamp == WallTime{}) return kNever;
  if (!observed(measured_) || user - measured_ > kRenewEvery) measure();
  const MonoTime out{stamp.time_since_epoch() - offset_};
  return out > user || user - out > kOldest ? kNever : out;
}

KernelClock::Moves KernelClock::take_moves() {
  return std::exchange(moves_, Moves{});
}

// A wall reading between two monotonic ones; the narrowest bracket has the smallest error.
void KernelClock::measure() {
  const bool first = !observed(measured_);
  const Nanos before_this = offset_;
  const MonoTime measured_before = measured_;
  Nanos narrowest = Nanos::max();
  for (int i = 0; i < kTries; ++i) {
    const MonoTime before = clock_.now();
    const WallTime wall = clock_.wall();
    const MonoTime after = clock_.now();
    if (after - before >= narrowest) continue;
    narrowest = after - before;
    const MonoTime middle = before + narrowest / 2;
    offset_ = wall.time_since_epoch() - middle.time_since_epoch();
    measured_ = after;
  }
  moves_.error = std::max(moves_.error.value_or(Nanos{0}), narrowest / 2);
  if (!first) {
    const double seconds = std::max(to_seconds(measured_ - measured_before), 1.0);
    const auto move =
        static_cast<std::int64_t>(static_cast<double>((offset_ - before_this).count()) / seconds);
    moves_.largest = std::max(moves_.largest, Nanos{std::abs(move)});
  }
}

}  // namespace evenbench::net
