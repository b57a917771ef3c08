#include "probe/nvml_api.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace evenbench::probe::nvml {
namespace {

// The first of these names that the library exports.
template <typename Function, typename... Names>
void find(void* library, Function& function, Names... names) {
  for (const char* name : {names...}) {
    function = reinterpret_cast<Function>(::dlsym(library, name));
    if (function != nullptr) return;
  }
}

void find_all(void* library, Api& api) {
  find(library, api.init, "nvmlInit_v2");
  find(library, api.shutdown, "nvmlShutdown");
  find(library, api.error_string, "nvmlErrorString");
  find(library, api.driver_version, "nvmlSystemGetDriverVersion");
  find(library, api.count, "nvmlDeviceGetCount_v2");
  find(library, api.handle, "nvmlDeviceGetHandleByIndex_v2");
  find(library, api.name, "nvmlDeviceGetName");
  find(library, api.uuid, "nvmlDeviceGetUUID");
  find(library, api.memory, "nvmlDeviceGetMemoryInfo");
  find(library, api.memory2, "nvmlDeviceGetMemoryInfo_v2");
  find(library, api.utilization, "nvmlDeviceGetUtilizationRates");
  find(library, api.power, "nvmlDeviceGetPowerUsage");
  find(library, api.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  find(library, api.temperature, "nvmlDeviceGetTemperature");
  find(library, api.clock, "nvmlDeviceGetClockInfo");
  find(library, api.max_clock, "nvmlDeviceGetMaxClockInfo");
  find(library, api.throttle_reasons, "nvmlDeviceGetCurrentClocksEventReasons",
       "nvmlDeviceGetCurrentClocksThrottleReasons");
  find(library, api.capability, "nvmlDeviceGetCudaComputeCapability");
  find(library, api.ecc_mode, "nvmlDeviceGetEccMode");
  find(library, api.ecc_errors, "nvmlDeviceGetTotalEccErrors");
  find(library, api.mig_mode, "nvmlDeviceGetMigMode");
  find(library, api.persistence, "nvmlDeviceGetPersistenceMode");
  find(library, api.processes1, "nvmlDeviceGetComputeRunningProcesses");
  find(library, api.processes2, "nvmlDeviceGetComputeRunningProcesses_v3",
       "nvmlDeviceGetComputeRunningProcesses_v2");
}

}  // namespace

Result<Api> load(const std::string& library) {
  void* opened = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr) {
    const char* why = ::dlerror();
    return environment_error(
        fmt::format("NVML cannot be loaded ({})", why == nullptr ? library.c_str() : why));
  }
  Api api;
  find_all(opened, api);
  if (api.init == nullptr || api.shutdown == nullptr || api.count == nullptr ||
      api.handle == nullptr || (api.memory == nullptr && api.memory2 == nullptr)) {
    return environment_error(fmt::format("{} is no NVML of this age", library));
  }
  return api;
}

}  // namespace evenbench::probe::nvml
