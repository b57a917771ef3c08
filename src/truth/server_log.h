// What the server did for one request, and how late it was; lines of JSON for whoever compares.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "base/time.h"

namespace evenbench::truth {

struct Served {
  std::string id;              // X-Evenbench-Request, or the number of the request
  MonoTime received = kNever;  // the kernel had its last byte
  MonoTime arrival = kNever;   // the server had read it
  MonoTime first_due = kNever;
  Nanos step{0};                 // between the instants at which two sends are due; 0: flat out
  std::vector<MonoTime> writes;  // taken before each call of send()
  int tokens = 0;                // in those sends
  int blocked = 0;               // sends that found no room: the client did not read
  bool done = false;             // sent to its end
  // After the instant at which send `number` was due. Flat out only the first has one.
  [[nodiscard]] Nanos lateness(std::size_t number) const {
    return writes[number] - (first_due + step * static_cast<Nanos::rep>(number));
  }
  [[nodiscard]] std::size_t paced_sends() const {
    return step.count() == 0 ? std::min<std::size_t>(writes.size(), 1) : writes.size();
  }
};

// {"id", "received_ns" (null where the kernel did not say), "arrival_ns", "writes_ns": [...],
// "late_ns": [...], "tokens", "blocked", "done"}
std::string log_line(const Served& served);

}  // namespace evenbench::truth
