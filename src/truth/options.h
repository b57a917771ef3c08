// What the truth server is told.
#pragma once

#include <cstdint>
#include <string>

#include "base/time.h"

namespace evenbench::truth {

struct Options {
  std::uint16_t port = 0;                          // of 127.0.0.1; 0: the system chooses
  std::string unix_path;                           // listens there instead
  Nanos ttft = std::chrono::milliseconds{50};      // request read to first send
  Nanos interval = std::chrono::milliseconds{10};  // between two events; 0: flat out
  int tokens = 16;                                 // 0: as the request asks
  int per_event = 1;                               // tokens in one event
  int events_per_send = 1;                         // events in one write
  Nanos stall_at{-1};                              // after the first request; below 0: never
  Nanos stall_for{0};                              // neither reads nor writes
  Nanos spin = std::chrono::microseconds{100};     // the end of a wait, for wake-ups come late
  std::string log;             // one JSON object a line and request, written at the end
  std::string key;             // "Authorization: Bearer KEY" or 401
  int key_expires_after = -1;  // generation requests; -1: never
  Nanos max_idle{0};           // closes connections that are idle for so long; 0: never
  int status = 200;            // of generation requests
  // Without an interval there is no instant at which a send is due, but for the first.
  [[nodiscard]] bool flat_out() const { return interval.count() == 0; }
};

}  // namespace evenbench::truth
