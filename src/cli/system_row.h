// How a system of a spec stands in the run file.
#pragma once

#include <cstddef>
#include <string_view>

#include "cli/spec.h"
#include "record/rows.h"

namespace evenbench::cli {

// `index`: position in the spec, from 0; ids count from 1.
record::SystemRow system_row(const SystemSpec& system, std::size_t index);

// Whether a server's model list says that a simulated engine of ours stands behind it: figures of
// one must never pass for those of a real engine, whatever name the spec gave it.
bool says_simulated(std::string_view models_body);

}  // namespace evenbench::cli
