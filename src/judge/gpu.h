// The GPUs of a visit as the run file has them: four instants of memory, and the series behind the
// most. Judges nothing: what memory says of an engine depends on its settings.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
namespace evenbench::record {
class Reader;
struct VisitRow;
}  // namespace evenbench::record

namespace evenbench::judge {

struct JudgedGpu {
  int visit = 1;  // of its system
  int block = 1, gpu = 0;
  std::string uuid, name, source;
  std::vector<std::pair<std::string, std::string>> facts;  // driver, power_limit_watts, ...
  std::optional<std::uint64_t> total_bytes, idle_bytes, ready_bytes, peak_bytes, after_bytes;
  std::optional<std::uint64_t> engine_peak_bytes;  // the most of the engine's own processes
};

// One sample. Absent: could not be read.
struct GpuPoint {
  double at_s = 0;  // since the run's start
  std::string system;
  int visit = 1, block = 1, gpu = 0;
  std::optional<std::uint64_t> used_bytes, engine_bytes;
  std::optional<double> utilisation, memory_utilisation;  // 0 to 1
  std::optional<double> power_watts, temperature_celsius, sm_clock_mhz, memory_clock_mhz;
  std::optional<std::uint64_t> throttle_reasons;  // bits, as NVML has them
};

// Of one visit, by number of the GPU.
Result<std::vector<JudgedGpu>> gpus_of(const record::Reader& run, const record::VisitRow& visit);

// Every sample of the run: visits in order, each in order of time. One at a time, as a long run has
// many.
Result<void> for_each_gpu_point(const record::Reader& run,
                                const std::function<void(const GpuPoint&)>& take);

}  // namespace evenbench::judge
