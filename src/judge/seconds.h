// The seconds of a step, counted from its begin: which one an instant belongs to. Something that
// begins on the border belongs to the second that follows; something that ends there, or arrives,
// to the one before, as in Window.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/time.h"

namespace evenbench::judge {

inline constexpr Nanos kOneSecond = std::chrono::seconds{1};

// Whole seconds that cover the time from begin to end; 0 when either is not known.
inline std::size_t seconds_between(MonoTime begin, MonoTime end) {
  if (!observed(begin) || !observed(end) || end <= begin) return 0;
  return static_cast<std::size_t>((end - begin + kOneSecond - Nanos{1}) / kOneSecond);
}
inline std::size_t second_of_start(MonoTime origin, MonoTime t) {
  return t <= origin ? 0 : static_cast<std::size_t>((t - origin) / kOneSecond);
}
inline std::size_t second_of_end(MonoTime origin, MonoTime t) {
  return std::max<std::size_t>(seconds_between(origin, t), 1) - 1;
}
inline MonoTime end_of_second(MonoTime origin, std::size_t second) {
  return origin + kOneSecond * (static_cast<std::int64_t>(second) + 1);
}

// Adds `amount` to the second, if the series has it.
template <typename Series>
void add_at(Series& series, std::size_t second, double amount) {
  if (second < series.size()) series[second] += amount;
}

}  // namespace evenbench::judge
