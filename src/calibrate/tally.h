// Holds what a client recorded in a trial against what the server did: both read CLOCK_MONOTONIC of
// one machine, so the difference of two instants is an error. Pure.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/log_histogram.h"
#include "base/result.h"
#include "calibrate/search.h"
#include "record/rows.h"

namespace evenbench::calibrate {

// What the server did for one request; see truth/server_log.h.
struct ServerEntry {
  std::vector<MonoTime> writes;
  std::vector<Nanos> late;
  std::uint64_t blocked = 0;
};
using ServerLog = std::unordered_map<std::string, ServerEntry>;  // by wire::request_name
// Error: environment, a line is none of the server's.
Result<ServerLog> read_server_log(std::istream& lines);

struct Window {
  MonoTime begin = kNever, end = kNever;
  [[nodiscard]] bool holds(MonoTime t) const { return begin <= t && t < end; }
};

struct Seen {
  std::uint64_t tokens = 0;   // written by the server in the window
  std::uint64_t streams = 0;  // that had one of them
  std::uint64_t failed = 0;   // requests
  std::string first_failure;
  std::uint64_t blocked = 0;  // sends of the server that found the client not reading
  // 99th percentiles; nullopt: nothing to take them of. A token that never was recorded counts with
  // what it was late by at the end.
  std::optional<Nanos> token_late;   // recorded (user stamp) after written
  std::optional<Nanos> send_late;    // sent after planned
  std::optional<Nanos> server_late;  // written after due
};

class Tally {
 public:
  // Of step `step_id`; every event of the server held one token and was a send of its own.
  Tally(ServerLog log, std::int64_t step_id, Window window)
      : log_(std::move(log)), step_id_(step_id), window_(window) {}
  void add(const record::RequestRow& row);
  [[nodiscard]] Seen seen() const;

 private:
  void add_tokens(const Exchanged& exchanged, const ServerEntry& entry);

  ServerLog log_;
  std::int64_t step_id_;
  Window window_;
  Seen seen_;
  LogHistogram token_late_, send_late_, server_late_;
};

// Whether a trial that was to keep `streams` streams open (0: as many as it takes) held. A server
// that was itself later than half the bound proves nothing about the client.
Trial verdict_of(const Seen& seen, std::uint64_t streams);
// "p99 late: tokens 0.05 ms, sends 0.01 ms, server 0.00 ms"
std::string text_of(const Seen& seen);

}  // namespace evenbench::calibrate
