#include "net/kernel_clock.h"

namespace evenbench::net {
namespace {

constexpr Nanos kRenewEvery = std::chrono::seconds{1};
constexpr Nanos kOldest = std::chrono::minutes{1};
constexpr int kTries = 8;

}  // namespace

MonoTime KernelClock::at(WallTime stamp, MonoTime user) {
  if (stamp == WallTime{}) return kNever;
  if (!observed(measured_) || user - measured_ > kRenewEvery) measure();
  const MonoTime out{stamp.time_since_epoch() - offset_};
  return out > user || user - out > kOldest ? kNever : out;
}

// A wall reading between two monotonic ones; the narrowest bracket has the smallest error.
void KernelClock::measure() {
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
}

}  // namespace evenbench::net
