// `evenbench demo`: the built-in spec that compares three simulated engines, so that a report can
// be seen without a GPU.
#pragma once

#include <string_view>

namespace evenbench::cli {

// The text of the spec; examples/three-engines-sim.yaml is the same with comments.
std::string_view demo_spec();

}  // namespace evenbench::cli
