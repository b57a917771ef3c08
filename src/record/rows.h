// The rows of the run file, as the program sees them. docs/run-file.md is the prose of the schema.
// Instants are monotonic; the file stores nanoseconds since the run's anchor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/exchange.h"
#include "base/transport_health.h"

namespace evenbench::record {

inline constexpr int kSchemaVersion = 3;

struct RunRow {
  std::string title;
  std::string tool_version;
  std::string spec_sha256;
  std::string spec_yaml;  // resolved spec, keys never in it
  std::uint64_t seed = 0;
  MonoTime anchor = kNever;                // zero of all stored instants
  WallTime started;                        // wall clock at the anchor
  StampChoice stamp = StampChoice::kUser;  // which stamp the headline numbers are made of
  std::string host_json;  // object: cpu, cores, memory_bytes, kernel, os, hostname_hash, client
                          // settings ...
};

struct SystemRow {
  std::int64_t id = 0;  // given by the caller: 1, 2, ... in spec order
  std::string name;
  std::string engine;  // vllm, llama_cpp, openai, sim, ...
  bool simulated = false;
  std::string url;  // without credentials
};

struct VisitRow {
  std::int64_t id = 0;  // 1, 2, ... in order of time
  std::int64_t system_id = 0;
  int block = 1;              // from 1
  MonoTime started = kNever;  // launch or attach began
  MonoTime ready = kNever;
  MonoTime stopped = kNever;
  std::string engine_version;        // "" = unknown
  std::string command;               // full command line; "" when attached
  std::string manifest_json = "{}";  // object of {"key": {"value": …, "source": "…"}}
  std::string note;                  // what went wrong, if anything
};

struct StepRow {
  std::int64_t id = 0;  // 1, 2, ... in order of time
  std::int64_t visit_id = 0;
  int ordinal = 0;                           // position in the visit, from 1
  std::string kind;                          // ladder | replay | closed
  std::optional<double> planned_rate;        // requests/s (ladder, replay)
  std::optional<std::uint32_t> concurrency;  // closed only
  std::string arrivals;                      // "poisson", "constant", "gamma:0.5", "" for closed
  MonoTime begin = kNever;                   // first planned instant may not be before this
  MonoTime window_begin = kNever;            // measuring window
  MonoTime window_end = kNever;
  MonoTime end = kNever;            // last cohort request over
  std::uint32_t planned = 0;        // requests of the cohort (planned inside the window)
  std::uint32_t max_in_flight = 0;  // cap asked for; 0 = none
  bool finished = false;            // ran to its end; false: killed, interrupted or aborted
  std::string note;
  std::string options_json =
      "{}";  // request options really in force; lengths asked; repeats of prompts ...
};

struct RequestRow {
  std::int64_t step_id = 0;
  std::uint32_t index = 0;  // position in the plan of the step, over all workers
  Phase phase = Phase::kMeasure;
  std::uint32_t worker = 0;
  MonoTime planned = kNever;
  std::uint64_t prompt_id = 0;     // which prompt of the workload
  std::uint32_t input_asked = 0;   // tokens asked for; 0 = not stated
  std::uint32_t output_asked = 0;  // tokens asked for; 0 = not stated
  Exchanged exchanged;
};

// What one worker saw of itself during one step. nullopt: could not be told on this machine.
struct WorkerHealthRow {
  std::int64_t step_id = 0;
  std::uint32_t worker = 0;
  Nanos wall{0};
  Nanos cpu{0};             // CLOCK_THREAD_CPUTIME_ID over the step
  Nanos run_queue_wait{0};  // /proc/thread-self/schedstat, field 2
  Nanos max_loop_stall{0};  // longest time between two turns of the loop beyond what was asked
  std::optional<std::uint64_t> loop_stalls;  // turns that came over 1 ms later than asked
  std::optional<double> cpu_peak_share;      // of the busiest second
  std::optional<TransportHealth> transport;
  bool realtime = false;  // under SCHED_FIFO
  std::optional<int> nice;
  std::string extra_json = "{}";
};

// A sentence about the run that the report shows beside the numbers.
struct FindingRow {
  std::string scope;          // run | system | visit | step
  std::int64_t scope_id = 0;  // 0 for run
  std::string severity;       // note | warning | error
  std::string code;  // stable, snake_case: length_not_honoured, proxy_in_use, field_dropped ...
  std::string text;  // one sentence, with the remedy where there is one
};

}  // namespace evenbench::record
