// Which of its two instants a stamp counts with, decided once for a run, so that the numbers of all
// its systems are made alike.
#pragma once

#include "base/result.h"
#include "base/stamp.h"
#include "judge/judged_run.h"
#include "record/reader.h"

namespace evenbench::judge {

class Instants {
 public:
  Instants() = default;  // the program's own
  explicit Instants(const HeadlineStamp& stamp) : kernel_(stamp.used == StampChoice::kKernel) {}

  // The kernel's where it counts and is there, else the program's.
  [[nodiscard]] MonoTime of(const Stamp& stamp) const {
    return kernel_ && observed(stamp.kernel) ? stamp.kernel : stamp.user;
  }
  // Between one of the kernel's and one of the program's lies the delay of the program too.
  [[nodiscard]] bool comparable(const Stamp& a, const Stamp& b) const {
    return !kernel_ || observed(a.kernel) == observed(b.kernel);
  }
  [[nodiscard]] bool kernel() const { return kernel_; }

 private:
  bool kernel_ = false;
};

// As the run asks; `auto` is the kernel's where in every system 99 % of the first tokens or more
// carry it, else the program's. Errors: the file cannot be read.
Result<HeadlineStamp> headline_stamp(const record::Reader& run);

}  // namespace evenbench::judge
