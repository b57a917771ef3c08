// Rows of the run file about what stood behind the load: settings in force, GPUs, what the engines
// count of themselves, what they answer to equal prompts. docs/run-file.md is the prose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/outcome.h"
#include "base/time.h"

namespace evenbench::record {

// One setting of a visit on which even terms depend; docs/even-terms.md lists the keys.
struct SettingRow {
  std::int64_t visit_id = 0;
  std::string key;
  std::string requested;  // by the spec or the command line; "" = not stated
  std::string effective;  // in force; "" = unknown
  std::string source;     // how `effective` was learnt: "/info", "log", "default of vLLM", ...
};

// One GPU in a visit, with the four instants of its memory. nullopt: not sampled then.
struct GpuRow {
  std::int64_t visit_id = 0;
  int gpu = 0;  // number as of nvidia-smi
  std::string uuid, name;
  std::string source;  // "NVML", "nvidia-smi", "not sampled: why"
  std::string facts_json = "{}";
  std::optional<std::uint64_t> total_bytes;
  std::optional<std::uint64_t> idle_bytes;   // used before the start
  std::optional<std::uint64_t> ready_bytes;  // used when the engine was ready
  std::optional<std::uint64_t> peak_bytes;   // most used from then to the stop
  std::optional<std::uint64_t> after_bytes;  // used when the engine was gone
};

struct GpuSampleRow {
  std::int64_t visit_id = 0;
  int gpu = 0;
  MonoTime at = kNever;
  std::optional<std::uint64_t> memory_used_bytes;
  std::optional<std::uint64_t> engine_memory_bytes;  // of the engine's own processes
  std::optional<double> gpu_utilisation;             // 0..1
  std::optional<double> memory_utilisation;          // 0..1
  std::optional<double> power_watts;
  std::optional<double> temperature_celsius;
  std::optional<double> sm_clock_mhz;
  std::optional<double> memory_clock_mhz;
  std::optional<std::uint64_t> throttle_reasons;  // bits as of NVML
};

// One value that an engine gave of itself.
struct EngineSampleRow {
  std::int64_t visit_id = 0;
  std::int64_t step_id = 0;  // 0 = outside of any step
  MonoTime at = kNever;
  std::string moment;  // before | during | after the step
  std::string metric;  // evenbench's name, as requests_waiting
  std::string series;  // the engine's own name
  double value = 0;
};

// The answer to one of the fixed prompts that every system is asked, greedy, before its load.
struct AgreementRow {
  std::int64_t visit_id = 0;
  int prompt = 0;  // from 1
  int repeat = 0;  // from 1
  Ending ending = Ending::kDone;
  std::string detail;
  std::string text;
  std::optional<std::uint32_t> prompt_tokens;
  std::optional<std::uint32_t> output_tokens;
};

}  // namespace evenbench::record
