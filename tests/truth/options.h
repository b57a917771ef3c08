// What the truth server is told. All durations in nanoseconds.
#pragma once

#include <cstdint>
#include <string>

namespace truth {

struct Options {
  std::uint16_t port = 0;              // 0: the system chooses
  std::int64_t ttft = 50'000'000;      // request read to first send
  std::int64_t interval = 10'000'000;  // between two events
  int tokens = 16;                     // 0: as the request asks
  int per_event = 1;                   // tokens in one event
  int events_per_send = 1;             // events in one write
  std::int64_t stall_at = -1;          // after the first request; -1: never
  std::int64_t stall_for = 0;          // neither reads nor writes
  std::string log;                     // one JSON object a line and request
  std::string key;                     // "Authorization: Bearer KEY" or 401
  int key_expires_after = -1;          // generation requests; -1: never
  std::int64_t max_idle = 0;           // closes connections that are idle for so long; 0: never
  int status = 200;                    // of generation requests
};

}  // namespace truth
