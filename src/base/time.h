// Instants and durations. Wall time and monotonic time are different types and cannot mix; neither
// has a now(): time enters from outside through a Clock, or as a parameter.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace evenbench {

using Nanos = std::chrono::nanoseconds;

// Tag of CLOCK_MONOTONIC. It has no now() on purpose.
struct MonoClock {
  using duration = Nanos;
  using rep = Nanos::rep;
  using period = Nanos::period;
  using time_point = std::chrono::time_point<MonoClock, Nanos>;
  static constexpr bool is_steady = true;
};
using MonoTime = MonoClock::time_point;
using WallTime = std::chrono::sys_time<Nanos>;

// The value that stands for "this instant was not observed". Never a real instant of a run.
inline constexpr MonoTime kNever = MonoTime::min();
inline constexpr bool observed(MonoTime t) {
  return t != kNever;
}

inline constexpr double to_seconds(Nanos d) {
  return static_cast<double>(d.count()) * 1e-9;
}
inline constexpr double to_millis(Nanos d) {
  return static_cast<double>(d.count()) * 1e-6;
}
// Rounds to the nearest nanosecond.
inline constexpr Nanos from_seconds(double s) {
  return Nanos{static_cast<std::int64_t>(s * 1e9 + (s < 0 ? -0.5 : 0.5))};
}

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual MonoTime now() const = 0;
  [[nodiscard]] virtual WallTime wall() const = 0;
};

// CLOCK_MONOTONIC and CLOCK_REALTIME.
class SystemClock final : public Clock {
 public:
  [[nodiscard]] MonoTime now() const override;
  [[nodiscard]] WallTime wall() const override;
};

// "2026-11-30T12:46:05Z", UTC, whole seconds.
std::string iso8601(WallTime t);

}  // namespace evenbench
