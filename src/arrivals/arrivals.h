// Arrival processes: when requests are planned. Pure; offsets from the beginning of the phase.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/rate.h"
#include "base/result.h"
#include "base/rng.h"
#include "base/time.h"

namespace evenbench::arrivals {

enum class Law : std::uint8_t { kPoisson, kConstant, kGamma };

struct Process {
  Law law = Law::kPoisson;
  double shape = 1.0;  // gamma only: shape k of the gaps, CV = 1/sqrt(k); k = 1 is Poisson
  friend bool operator==(const Process&, const Process&) = default;
};

// "poisson" | "constant" | "gamma:K". Error: usage, naming the accepted forms.
Result<Process> parse_process(std::string_view text);
std::string to_string(const Process& process);

// Exactly `count` arrivals in [0, span), in order. Poisson and gamma are conditioned on the count:
// draw count+1 gaps, divide by their sum (for exponential gaps the law of a Poisson process given
// its count). Constant: i * span/count. Source: research by order statistics, see docs/metrics.md
// "Arrivals".
std::vector<Nanos> schedule(const Process& process, std::size_t count, Nanos span, Rng& rng);
// The same from given gaps (count+1 of them, any unit). Gaps 1,2,3,4 over 10 give 1, 3, 6.
std::vector<Nanos> schedule_from_gaps(const std::vector<double>& gaps, Nanos span);

// round(rate * span): the offered count of a phase.
std::size_t offered_count(Rate rate, Nanos span);

}  // namespace evenbench::arrivals
