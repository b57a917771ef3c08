// GPUs through the driver's own library, loaded when the program runs: a machine without it is a
// normal machine. What a card or an old library cannot tell is absent.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "probe/gpu.h"

namespace evenbench::probe {

// Error: environment; the library is not there, or it finds no driver or none of `gpus` (empty:
// all).
Result<std::unique_ptr<GpuSource>> open_nvml(const std::string& library,
                                             const std::vector<int>& gpus);

}  // namespace evenbench::probe
