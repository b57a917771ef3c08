// A run, judged: what the report, the summary and the exit code are made of. Absent means not
// measured; never 0, -1 or NaN. Every number is defined in docs/metrics.md under the name it has
// here.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "base/outcome.h"
#include "base/stamp.h"
#include "judge/client_health.h"
#include "judge/engine_side.h"
#include "judge/gpu.h"

namespace evenbench::judge {

// Which instants the numbers of a run are made of.
struct HeadlineStamp {
  StampChoice asked = StampChoice::kUser;
  StampChoice used = StampChoice::kUser;  // never kAuto
  std::string why;
  bool mixed = false;  // the kernel's was asked for, and a system has it for too few
};

struct Percentiles {                    // of failures counted as +infinity
  std::optional<double> p50, p95, p99;  // infinity = "unbounded"
};

struct Distribution {  // milliseconds unless the name says otherwise; linear interpolation
                       // (Hyndman-Fan 7)
  std::uint64_t count = 0;
  std::optional<double> mean, min, p50, p90, p95, p99, max;
  std::optional<Percentiles> with_failures;
  std::optional<double> relative_error;  // bound, of the percentiles; absent: exact
};

// Of the instants that the latencies of a step's good answers are made of.
struct InstantQuality {
  std::uint64_t instants = 0;  // token events; the end of the body of an answer not streamed
  std::uint64_t kernel_stamped = 0;
  std::uint64_t by_program = 0;  // the kernel's should count and is missing
  std::uint64_t token_events = 0;
  std::uint64_t censored = 0;  // their read held several token events: only an upper bound
  std::uint64_t first_tokens = 0, first_tokens_stamped = 0, first_tokens_censored = 0;
  std::uint64_t gaps = 0;           // pairs of neighbouring token events
  std::uint64_t gaps_left_out = 0;  // one of the two censored, or not by the same clock
};

enum class Label : std::uint8_t {
  kSteady,
  kSuspect,
  kSaturated,
  kNotSteady,
  kInvalidClient,
  kFailed
};
std::string_view name_of(
    Label label);  // STEADY, SUSPECT, SATURATED, NOT_STEADY, INVALID_CLIENT, FAILED

struct FailureClass {  // failures of a step, grouped by ending and detail
  Ending ending = Ending::kDone;
  std::string detail;
  std::uint64_t count = 0;
  std::optional<double> first_seen_s;  // after the step's begin
};

// Value per second of the step, for time lines; index 0 = first second after the step's begin.
struct Series {
  std::vector<double> in_flight, tokens_per_s, sent_per_s, completed_per_s;
  SparseSeries running, waiting, kv_cache_usage;  // as the engine says it; empty: it was not asked
};

struct JudgedStep {
  std::string kind;  // ladder | replay | closed
  int block = 1, visit = 1, ordinal = 1;
  std::optional<double> planned_rate;    // requests/s
  std::optional<double> sent_rate;       // (cohort sent - 1) / (last sent - first); absent below 2
  std::optional<double> completed_rate;  // good completions inside the window / window
  std::optional<std::uint32_t> concurrency;
  std::string arrivals;
  double window_s = 0;
  double begin_s = 0;                                         // since the run's start
  std::uint64_t planned = 0, sent = 0, good = 0, failed = 0;  // cohort; failed excludes cut_at_end
  std::array<std::uint64_t, kEndingCount> endings{};
  Distribution ttft, ttft_service, first_content, tpot, e2e, e2e_service, chunk_gap, itl, lateness,
      connect;
  Distribution request_output_rate;           // tokens/s: n / E2E of each good request
  Distribution failed_after;                  // planned to seen, of the failed; in no other figure
  std::uint64_t output_tokens = 0;            // of good requests of the cohort whose count is known
  std::optional<double> output_tokens_per_s;  // all that arrived inside the window
  std::optional<double> output_tokens_per_s_completed;  // of good ones that ended inside it
  std::map<std::string, std::uint64_t> token_sources;   // requests by TokenSource name
  std::uint64_t reasoning_tokens = 0;
  std::optional<double> achieved_output_share;  // output tokens / asked, of those with both
  std::uint64_t input_tokens = 0, input_asked = 0;
  std::optional<double> input_tokens_per_s;
  std::optional<double> cached_input_share;  // cached / prompt tokens, where the server says
  std::optional<double> tokens_per_event;    // coalescing ratio
  std::optional<double> merged_read_share;
  std::optional<double> censored_event_share, censored_first_token_share;
  InstantQuality instants;
  std::string no_gaps_because;  // chunk gaps and ITL are absent although answers were streamed
  std::uint64_t reopened = 0, connections_opened = 0, retries = 0;
  ClientHealth client;
  EngineSide engine;
  Label label = Label::kSteady;
  std::vector<std::string> reasons;  // sentences
  std::vector<FailureClass> failures;
  Series series;
  // At most 101 points each: quantiles 0, 0.01, ... 1, of good requests alone.
  std::vector<double> ttft_cdf_ms, tpot_cdf_ms, e2e_cdf_ms;
};

struct ManifestEntry {
  std::string key, value, source;
};

struct JudgedSystem {
  std::string name, engine, engine_version, url;
  bool simulated = false;
  std::vector<std::string> commands;    // one per visit, "" when attached
  std::vector<ManifestEntry> manifest;  // of the first visit; what differs later comes after
  std::vector<JudgedStep> steps;        // in order of time
  std::vector<double> ready_s;          // start-up time per visit
  std::vector<JudgedGpu> gpus;          // of all visits; empty: not sampled
};

struct Finding {
  std::string scope, where, severity, code, text;
};

struct JudgedRun {
  std::string title, tool_version, spec_sha256, spec_yaml, started;  // started: ISO 8601 UTC
  std::uint64_t seed = 0;
  bool complete = false;
  std::string reason;  // why not complete
  HeadlineStamp stamp;
  std::vector<ManifestEntry> host;
  std::vector<JudgedSystem> systems;  // in spec order
  // Its findings are not among those below. Without lines: the run file holds no settings.
  audit::Audit audit;
  std::vector<Finding> findings;  // errors first
};

}  // namespace evenbench::judge
