#include "calibrate/calibration.h"

#include <fmt/format.h>

#include <cmath>

namespace evenbench::calibrate {

std::string_view name_of(Quantity quantity) {
  constexpr std::array<std::string_view, 3> kNames = {"streams", "token_rate", "request_rate"};
  return kNames[static_cast<std::size_t>(quantity)];
}

std::string text_of(Quantity quantity, double value) {
  constexpr std::array<std::string_view, 3> kUnits = {"streams", "tokens/s", "requests/s"};
  const int digits = value < 100 && value != std::round(value) ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, digits, kUnits[static_cast<std::size_t>(quantity)]);
}

std::string_view name_of(LimitedBy by) {
  constexpr std::array<std::string_view, 4> kNames = {"client", "server", "bound", "time"};
  return kNames[static_cast<std::size_t>(by)];
}

Machine machine_of(const std::vector<probe::HostFact>& facts, std::string_view version,
                   std::string_view build) {
  Machine out;
  for (const probe::HostFact& fact : facts) {
    if (fact.key == "cpu_model") out.cpu_model = fact.value;
    if (fact.key == "cores") out.cores = fact.value;
    if (fact.key == "kernel") out.kernel = fact.value;
  }
  out.evenbench = version;
  out.build = build;
  return out;
}

}  // namespace evenbench::calibrate
