// GPUs through the program nvidia-smi, for where NVML cannot be loaded: a process for every sample,
// so at most one a second. Runs nothing itself; a field that the program does not know, or gives as
// [N/A], is absent.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "probe/gpu.h"

namespace evenbench::probe {

// Error: environment; the program is not there, finds no driver, or none of `gpus` (empty: all).
// `why`: why this source and no better one.
Result<std::unique_ptr<GpuSource>> open_nvidia_smi(const RunProgram& run,
                                                   const std::vector<int>& gpus,
                                                   const std::string& why);

namespace nvidia_smi {

// What is asked for, in this order; the parsers expect it so. A program that does not know all of
// the fields refuses them all: then the next list is tried.
extern const std::vector<std::string> kDeviceFields, kSampleFields;

// One line of --format=csv,noheader,nounits as its fields; "" for what is not available.
std::vector<std::string> fields_of(std::string_view line);

// Each line that is no row of these fields is left out.
std::vector<GpuDevice> parse_devices(std::string_view output,
                                     const std::vector<std::string>& fields);
std::vector<GpuSample> parse_samples(std::string_view output,
                                     const std::vector<std::string>& fields);
// Rows of gpu_uuid, pid, used_memory, process_name: the name may hold commas.
std::vector<GpuHolder> parse_holders(std::string_view output,
                                     const std::vector<GpuDevice>& devices);

}  // namespace nvidia_smi

}  // namespace evenbench::probe
