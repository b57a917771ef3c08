#include "probe/nvml.h"

#include <fmt/format.h>

#include <array>

#include "probe/nvml_api.h"

namespace evenbench::probe {
namespace {

using nvml::Api;
using nvml::kSuccess;

constexpr const char* kSourceName = "NVML";

std::string reason(const Api& api, nvml::Return code) {
  const char* text = api.error_string == nullptr ? nullptr : api.error_string(code);
  return text == nullptr ? fmt::format("error {}", code) : text;
}

// What `function` puts into its last argument; nullopt when it is missing or refuses.
template <typename Value, typename Function, typename... Arguments>
std::optional<Value> ask(Function function, Arguments... arguments) {
  Value value{};
  if (function == nullptr || function(arguments..., &value) != kSuccess) return std::nullopt;
  return value;
}

template <typename Function, typename... Arguments>
std::string text(Function function, Arguments... arguments) {
  std::array<char, 128> buffer{};
  if (function == nullptr || function(arguments..., buffer.data(), buffer.size()) != kSuccess)
    return "";
  buffer.back() = '\0';
  return buffer.data();
}

struct MemoryNow {
  std::optional<std::uint64_t> total, reserved, used;
};

MemoryNow memory_of(const Api& api, nvml::Device device) {
  nvml::Memory2 second;
  second.version = nvml::kMemory2Version;
  if (api.memory2 != nullptr && api.memory2(device, &second) == kSuccess)
    return {second.total, second.reserved, second.used};
  if (const auto first = ask<nvml::Memory>(api.memory, device))
    return {first->total, std::nullopt, first->used};
  return {};
}

class Facts {
 public:
  void add(const char* key, std::optional<std::string> value) {
    if (value && !value->empty()) facts_.push_back({key, *std::move(value), kSourceName});
  }
  std::vector<HostFact> take() { return std::move(facts_); }

 private:
  std::vector<HostFact> facts_;
};

template <typename Number>
std::optional<std::string> written(const std::optional<Number>& number) {
  return number ? std::optional(fmt::format("{}", *number)) : std::nullopt;
}

std::optional<std::string> switched(const std::optional<unsigned int>& on) {
  return on ? std::optional<std::string>(*on != 0 ? "enabled" : "disabled") : std::nullopt;
}

// Functions that give two values: now, and after the next restart.
template <typename Value>
std::optional<unsigned int> first_of(nvml::Return (*function)(nvml::Device, Value*, Value*),
                                     nvml::Device device) {
  Value now{};
  Value later{};
  if (function == nullptr || function(device, &now, &later) != kSuccess) return std::nullopt;
  return static_cast<unsigned int>(now);
}

std::optional<std::string> capability(const Api& api, nvml::Device device) {
  int major = 0;
  int minor = 0;
  if (api.capability == nullptr || api.capability(device, &major, &minor) != kSuccess)
    return std::nullopt;
  return fmt::format("{}.{}", major, minor);
}

std::vector<HostFact> facts_of(const Api& api, nvml::Device device, const MemoryNow& memory) {
  Facts facts;
  facts.add("driver", text(api.driver_version));
  facts.add("compute_capability", capability(api, device));
  if (const auto limit = ask<unsigned int>(api.power_limit, device))
    facts.add("power_limit_watts", fmt::format("{:g}", *limit / 1000.0));
  const auto sm = ask<unsigned int>(api.max_clock, device, nvml::kSmClock);
  const auto memory_clock = ask<unsigned int>(api.max_clock, device, nvml::kMemoryClock);
  if (sm && memory_clock)
    facts.add("clocks", fmt::format("SM up to {} MHz, memory up to {} MHz", *sm, *memory_clock));
  facts.add("ecc", switched(first_of(api.ecc_mode, device)));
  facts.add("ecc_uncorrected", written(ask<unsigned long long>(
                                   api.ecc_errors, device, nvml::kUncorrected, nvml::kVolatile)));
  facts.add("mig", switched(first_of(api.mig_mode, device)));
  if (const auto on = ask<int>(api.persistence, device))
    facts.add("persistence", switched(static_cast<unsigned int>(*on)));
  facts.add("reserved_bytes", written(memory.reserved));
  facts.add("memory_counted", memory.reserved ? "used without the driver's reserve"
                                              : "used with the driver's reserve");
  return facts.take();
}

// The processes that compute on a device, whichever of the two layouts the library fills.
template <typename Process>
std::optional<std::vector<Process>> processes(nvml::Return (*function)(nvml::Device, unsigned int*,
                                                                       Process*),
                                              nvml::Device device) {
  if (function == nullptr) return std::nullopt;
  std::vector<Process> found(32);
  // More may come while one asks.
  for (int attempt = 0; attempt < 4; ++attempt) {
    auto count = static_cast<unsigned int>(found.size());
    const nvml::Return code = function(device, &count, found.data());
    if (code == kSuccess) {
      found.resize(std::min<std::size_t>(count, found.size()));
      return found;
    }
    if (code != nvml::kInsufficientSize) return std::nullopt;
    found.resize(found.size() + count);
  }
  return std::nullopt;
}

template <typename Process>
void add_holders(int gpu, const std::vector<Process>& from, std::vector<GpuHolder>& to) {
  for (const Process& process : from) {
    GpuHolder holder{gpu, static_cast<int>(process.pid), std::nullopt, ""};
    if (process.used != nvml::kNotAvailable) holder.bytes = process.used;
    to.push_back(std::move(holder));
  }
}

class NvmlSource final : public GpuSource {
 public:
  explicit NvmlSource(const Api& api) : api_(api) {}
  ~NvmlSource() override { api_.shutdown(); }
  NvmlSource(const NvmlSource&) = delete;
  NvmlSource& operator=(const NvmlSource&) = delete;

  Result<void> find_devices(const std::vector<int>& gpus);
  [[nodiscard]] std::string name() const override { return kSourceName; }
  [[nodiscard]] std::string why() const override { return ""; }
  [[nodiscard]] Nanos finest() const override { return std::chrono::milliseconds{20}; }
  [[nodiscard]] const std::vector<GpuDevice>& devices() const override { return devices_; }
  std::vector<GpuSample> sample() override;
  std::vector<GpuHolder> holders() override;

 private:
  [[nodiscard]] GpuSample sample_of(int gpu, nvml::Device device) const;

  Api api_;
  std::vector<GpuDevice> devices_;
  std::vector<nvml::Device> handles_;
};

Result<void> NvmlSource::find_devices(const std::vector<int>& gpus) {
  unsigned int count = 0;
  if (const auto code = api_.count(&count); code != kSuccess)
    return environment_error(fmt::format("NVML counts no GPUs ({})", reason(api_, code)));
  for (unsigned int i = 0; i < count; ++i) {
    nvml::Device device = nullptr;
    if (!chosen(gpus, static_cast<int>(i)) || api_.handle(i, &device) != kSuccess) continue;
    const MemoryNow memory = memory_of(api_, device);
    devices_.push_back({static_cast<int>(i), text(api_.uuid, device), text(api_.name, device),
                        memory.total, facts_of(api_, device, memory)});
    handles_.push_back(device);
  }
  if (!devices_.empty()) return {};
  return environment_error(
      fmt::format("NVML sees {} GPUs and none of those asked for can be opened", count));
}

GpuSample NvmlSource::sample_of(int gpu, nvml::Device device) const {
  GpuSample out;
  out.gpu = gpu;
  out.used_bytes = memory_of(api_, device).used;
  if (const auto share = ask<nvml::Utilization>(api_.utilization, device)) {
    out.utilisation = share->gpu / 100.0;
    out.memory_utilisation = share->memory / 100.0;
  }
  if (const auto milliwatts = ask<unsigned int>(api_.power, device))
    out.power_watts = *milliwatts / 1000.0;
  if (const auto degrees = ask<unsigned int>(api_.temperature, device, nvml::kTemperatureOfGpu))
    out.temperature_celsius = *degrees;
  if (const auto clock = ask<unsigned int>(api_.clock, device, nvml::kSmClock))
    out.sm_clock_mhz = *clock;
  if (const auto clock = ask<unsigned int>(api_.clock, device, nvml::kMemoryClock))
    out.memory_clock_mhz = *clock;
  out.throttle_reasons = ask<unsigned long long>(api_.throttle_reasons, device);
  return out;
}

std::vector<GpuSample> NvmlSource::sample() {
  std::vector<GpuSample> out;
  for (std::size_t i = 0; i < devices_.size(); ++i)
    out.push_back(sample_of(devices_[i].index, handles_[i]));
  return out;
}

std::vector<GpuHolder> NvmlSource::holders() {
  std::vector<GpuHolder> out;
  for (std::size_t i = 0; i < devices_.size(); ++i) {
    if (const auto second = processes(api_.processes2, handles_[i])) {
      add_holders(devices_[i].index, *second, out);
    } else if (const auto first = processes(api_.processes1, handles_[i])) {
      add_holders(devices_[i].index, *first, out);
    }
  }
  return out;
}

}  // namespace

Result<std::unique_ptr<GpuSource>> open_nvml(const std::string& library,
                                             const std::vector<int>& gpus) {
  const auto api = nvml::load(library);
  if (!api) return api.error();
  if (const auto code = api->init(); code != kSuccess)
    return environment_error(fmt::format("NVML does not start ({})", reason(*api, code)));
  auto source = std::make_unique<NvmlSource>(*api);
  if (auto found = source->find_devices(gpus); !found) return found.error();
  return std::unique_ptr<GpuSource>(std::move(source));
}

}  // namespace evenbench::probe
