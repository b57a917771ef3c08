#include "base/time.h"

#include <fmt/chrono.h>
#include <time.h>

namespace evenbench {
namespace {

Nanos read_clock(clockid_t id) {
  timespec ts{};
  ::clock_gettime(id, &ts);  // lint-ok(real-time): the one place where time enters
  return std::chrono::seconds{ts.tv_sec} + Nanos{ts.tv_nsec};
}

}  // namespace

MonoTime SystemClock::now() const {  // lint-ok(real-time): the definition
  return MonoTime{read_clock(CLOCK_MONOTONIC)};
}
WallTime SystemClock::wall() const {
  return WallTime{read_clock(CLOCK_REALTIME)};
}

std::string iso8601(WallTime t) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(t);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                     fmt::gmtime(static_cast<std::time_t>(seconds.time_since_epoch().count())));
}

}  // namespace evenbench
