// A rate of events, so that no one passes a period where a frequency is meant.
#pragma once

#include "base/time.h"

namespace evenbench {

class Rate {
 public:
  constexpr Rate() = default;
  static constexpr Rate per_second(double events) { return Rate(events); }
  [[nodiscard]] constexpr double per_second() const { return per_second_; }
  // Mean gap between two events. The rate must be above 0.
  [[nodiscard]] constexpr Nanos mean_gap() const { return from_seconds(1.0 / per_second_); }
  constexpr auto operator<=>(const Rate&) const = default;

 private:
  explicit constexpr Rate(double events) : per_second_(events) {}
  double per_second_ = 0.0;
};

}  // namespace evenbench
