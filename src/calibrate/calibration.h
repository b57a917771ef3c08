// What this machine's client has shown that it can do, and on which machine: the value that is
// stored, printed and compared with plans. Knows nothing of how it was found.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "probe/host.h"

namespace evenbench::calibrate {

enum class Quantity : std::uint8_t { kStreams, kTokenRate, kRequestRate };
inline constexpr std::array kQuantities = {Quantity::kStreams, Quantity::kTokenRate,
                                           Quantity::kRequestRate};
std::string_view name_of(Quantity quantity);           // streams, token_rate, request_rate
std::string text_of(Quantity quantity, double value);  // "512 streams", "20000 tokens/s"

// A level holds while 99 of 100 instants are recorded, and 99 of 100 requests sent, within this.
inline constexpr Nanos kErrorBound = std::chrono::milliseconds{1};

enum class LimitedBy : std::uint8_t {
  kClient,  // its error passed the bound above
  kServer,  // the null server was late itself: the client may be able to do more
  kBound,   // the search goes no further
  kTime,    // the search had no time left
};
std::string_view name_of(LimitedBy by);

struct Limit {
  double holds = 0;                // the largest level at which the bound held; 0: at none
  std::optional<double> fails_at;  // the smallest above it at which something did not hold
  LimitedBy by = LimitedBy::kTime;
  std::string why;  // of fails_at, for people; "" where nothing failed
  // Whether it says anything of the client. Where nothing held, and not for the client's sake, the
  // machine was too busy to tell.
  [[nodiscard]] bool known() const { return holds > 0 || by == LimitedBy::kClient; }
  friend bool operator==(const Limit&, const Limit&) = default;
};

// What must be the same for a calibration to say anything.
struct Machine {
  std::string cpu_model, cores, kernel;
  std::string evenbench;  // version
  std::string build;      // type of build
  friend bool operator==(const Machine&, const Machine&) = default;
};
// Facts that are absent are "".
Machine machine_of(const std::vector<probe::HostFact>& facts, std::string_view version,
                   std::string_view build);

struct Calibration {
  Machine machine;
  std::string made;           // ISO 8601, UTC
  std::uint32_t workers = 1;  // sending threads it was found with
  std::array<Limit, 3> limits;

  [[nodiscard]] const Limit& limit(Quantity quantity) const {
    return limits[static_cast<std::size_t>(quantity)];
  }
  Limit& limit(Quantity quantity) { return limits[static_cast<std::size_t>(quantity)]; }
  [[nodiscard]] double per_worker(Quantity quantity) const {
    return limit(quantity).holds / workers;
  }
  friend bool operator==(const Calibration&, const Calibration&) = default;
};

}  // namespace evenbench::calibrate
