// The GPUs of this machine: what they are, what they do at an instant, who holds their memory.
// Reads only: changes no setting, starts no work on a GPU. Knows nothing of engines or visits.
//
// Memory used is what processes were given, the driver's own reserve apart; total holds the
// reserve. An old driver does not tell the two apart and counts its reserve as used.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "probe/host.h"

namespace evenbench::probe {

struct GpuDevice {
  int index = 0;  // as nvidia-smi counts
  std::string uuid, name;
  std::optional<std::uint64_t> total_bytes;
  // driver, compute_capability, power_limit_watts, clocks, ecc,
  // ecc_uncorrected, mig, persistence, reserved_bytes, memory_counted. What cannot be read is
  // absent.
  std::vector<HostFact> facts;
};

// What cannot be read is absent: it is never 0.
struct GpuSample {
  int gpu = 0;
  std::optional<std::uint64_t> used_bytes;
  std::optional<double> utilisation, memory_utilisation;  // shares of time, 0 to 1
  std::optional<double> power_watts, temperature_celsius, sm_clock_mhz, memory_clock_mhz;
  std::optional<std::uint64_t> throttle_reasons;  // bits, as NVML has them
};

struct GpuHolder {
  int gpu = 0;
  int pid = 0;  // as the driver counts: of the host, also inside a container
  std::optional<std::uint64_t> bytes;
  std::string command;  // as the driver tells it; "" = it does not
};

class GpuSource {
 public:
  virtual ~GpuSource() = default;
  [[nodiscard]] virtual std::string name() const = 0;  // "NVML", "nvidia-smi", "none"
  // Why a better source is not used, or none; "" = there is no better one.
  [[nodiscard]] virtual std::string why() const = 0;
  // Two samples should not be nearer than this.
  [[nodiscard]] virtual Nanos finest() const = 0;
  [[nodiscard]] virtual const std::vector<GpuDevice>& devices() const = 0;
  // One for each device, in their order. One thread at a time, as holders().
  virtual std::vector<GpuSample> sample() = 0;
  virtual std::vector<GpuHolder> holders() = 0;
};

// Runs a program that is done in a moment and gives its output; Error: it failed.
using RunProgram = std::function<Result<std::string>(const std::vector<std::string>& argv)>;

struct GpuChoice {
  std::vector<int> gpus;  // empty: all
  RunProgram run;         // for nvidia-smi
  std::string nvml = "libnvidia-ml.so.1";
};
// NVML if it can be had, else nvidia-smi, else a source without devices that says why.
std::unique_ptr<GpuSource> open_gpu_source(const GpuChoice& choice);

// Whether the spec's list, empty for all, names this GPU.
bool chosen(const std::vector<int>& gpus, int gpu);

}  // namespace evenbench::probe
