// How late this machine wakes a thread that sleeps, learnt from its sleeps: the last stretch before
// a planned instant must be spun for as long.
#pragma once

#include <algorithm>

#include "base/time.h"

namespace evenbench::net {

class WakeDelay {
 public:
  // A sleep ended `late` after the instant that was asked for.
  void note(Nanos late) {
    // Up by an eighth of the difference, down by a sixty-fourth: settles where one sleep in nine is
    // later. A stall of the machine is no property of its timer and counts as the longest spin.
    late = std::clamp(late, Nanos{0}, kLongest);
    typical_ += (late - typical_) / (late > typical_ ? 8 : 64);
  }
  [[nodiscard]] Nanos spin() const { return std::clamp(typical_ + kMargin, kShortest, kLongest); }

 private:
  static constexpr Nanos kShortest = std::chrono::microseconds{30};
  static constexpr Nanos kLongest = std::chrono::microseconds{250};
  static constexpr Nanos kMargin = std::chrono::microseconds{10};
  Nanos typical_ = std::chrono::microseconds{90};
};

}  // namespace evenbench::net
