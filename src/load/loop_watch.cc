#include "load/loop_watch.h"

#include <algorithm>

namespace evenbench::load {
namespace {

constexpr Nanos kStall = std::chrono::milliseconds{1};
constexpr Nanos kSecond = std::chrono::seconds{1};

}  // namespace

void LoopWatch::note(MonoTime from, MonoTime asked, MonoTime got) {
  const Nanos lost = got - std::max(from, asked);
  max_stall_ = std::max(max_stall_, lost);
  if (lost > kStall) ++stalls_;
  const Nanos passed = got - second_began_;
  if (passed < kSecond) return;
  const Nanos used = cpu_used_();
  const double share = to_seconds(used - used_before_) / to_seconds(passed);
  busiest_ = std::max(busiest_.value_or(0.0), share);
  second_began_ = got;
  used_before_ = used;
}

}  // namespace evenbench::load
