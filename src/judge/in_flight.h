// How many requests were open at each time: the mean of every second, and the most at once. Knows
// spans of time only, not requests.
#pragma once

#include <cstdint>
#include <vector>

#include "base/time.h"

namespace evenbench::judge {

class InFlight {
 public:
  // Seconds are counted from `origin`, up to and including the one that holds `end`.
  InFlight(MonoTime origin, MonoTime end);

  // A request open from `from` until `to`; nothing of it is counted outside of [origin, end].
  void add(MonoTime from, MonoTime to);

  [[nodiscard]] std::vector<double> mean_per_second() const;
  // One that ends at the instant at which another begins has left before it.
  [[nodiscard]] std::uint64_t peak() const;

 private:
  struct Step {
    MonoTime at;
    int change;
  };
  void add_part(std::size_t second, Nanos open);

  MonoTime origin_, end_;
  std::vector<double> part_;    // seconds open, of the requests that do not fill the second
  std::vector<double> filled_;  // differences of the number of requests that fill it
  std::vector<Step> steps_;
};

}  // namespace evenbench::judge
