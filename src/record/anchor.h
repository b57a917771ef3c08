// Instants as the run file keeps them: nanoseconds since the run's anchor. Wraps around instead of
// overflowing, so that every 64-bit instant comes back exactly.
#pragma once

#include <cstdint>
#include <optional>

#include "base/time.h"

namespace evenbench::record {

class Anchor {
 public:
  explicit Anchor(MonoTime zero) : zero_(bits(zero)) {}

  // Of an observed instant.
  [[nodiscard]] std::int64_t offset_of(MonoTime t) const {
    return static_cast<std::int64_t>(bits(t) - zero_);
  }
  [[nodiscard]] MonoTime instant_at(std::int64_t offset) const {
    return MonoTime{Nanos{static_cast<std::int64_t>(zero_ + static_cast<std::uint64_t>(offset))}};
  }
  // The same with "not observed" as nullopt.
  [[nodiscard]] std::optional<std::int64_t> stored(MonoTime t) const {
    return observed(t) ? std::optional(offset_of(t)) : std::nullopt;
  }
  [[nodiscard]] MonoTime loaded(std::optional<std::int64_t> offset) const {
    return offset ? instant_at(*offset) : kNever;
  }

 private:
  static std::uint64_t bits(MonoTime t) {
    return static_cast<std::uint64_t>(t.time_since_epoch().count());
  }
  std::uint64_t zero_;
};

}  // namespace evenbench::record
