#include "probe/gpu.h"

#include <fmt/format.h>

#include <algorithm>

#include "probe/nvidia_smi.h"
#include "probe/nvml.h"

namespace evenbench::probe {
namespace {

class NoGpus final : public GpuSource {
 public:
  explicit NoGpus(std::string why) : why_(std::move(why)) {}
  [[nodiscard]] std::string name() const override { return "none"; }
  [[nodiscard]] std::string why() const override { return why_; }
  [[nodiscard]] Nanos finest() const override { return std::chrono::seconds{1}; }
  [[nodiscard]] const std::vector<GpuDevice>& devices() const override { return devices_; }
  std::vector<GpuSample> sample() override { return {}; }
  std::vector<GpuHolder> holders() override { return {}; }

 private:
  std::string why_;
  std::vector<GpuDevice> devices_;
};

}  // namespace

bool chosen(const std::vector<int>& gpus, int gpu) {
  return gpus.empty() || std::find(gpus.begin(), gpus.end(), gpu) != gpus.end();
}

std::unique_ptr<GpuSource> open_gpu_source(const GpuChoice& choice) {
  auto nvml = open_nvml(choice.nvml, choice.gpus);
  if (nvml) return *std::move(nvml);
  const std::string why = nvml.error().message;
  auto smi = open_nvidia_smi(choice.run, choice.gpus, why);
  if (smi) return *std::move(smi);
  return std::make_unique<NoGpus>(fmt::format("{}; {}", why, smi.error().message));
}

}  // namespace evenbench::probe
