// Puts the kernel's receive stamps, which are wall time, on the monotonic clock. Knows the distance
// of the two clocks from paired readings, renewed once a second because wall time is slewed.
#pragma once

#include <optional>

#include "base/time.h"

namespace evenbench::net {

class KernelClock {
 public:
  explicit KernelClock(const Clock& clock) : clock_(clock) {}

  // The monotonic instant of `stamp`, which was read with data at `user`; kNever when there is no
  // stamp or it cannot be right (after the read, or over a minute before it: wall time has been
  // set).
  MonoTime at(WallTime stamp, MonoTime user);

  // How far wall time moved against monotonic time, and how well the two are matched, since this
  // was last asked.
  struct Moves {
    // From one look to the next; where they lie over a second apart, per second: slewing through a
    // long silence is no step.
    Nanos largest{0};
    std::optional<Nanos> error;  // half the widest of the brackets that were used
  };
  Moves take_moves();

 private:
  void measure();

  const Clock& clock_;
  MonoTime measured_ = kNever;
  Nanos offset_{0};  // wall minus monotonic
  Moves moves_;
};

}  // namespace evenbench::net
