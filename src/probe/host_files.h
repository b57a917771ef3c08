// The facts of a machine that stand in files, read below any root: a temporary folder in tests.
#pragma once

#include <filesystem>
#include <vector>

#include "probe/host.h"

namespace evenbench::probe {

std::vector<HostFact> facts_below(const std::filesystem::path& root);

}  // namespace evenbench::probe
