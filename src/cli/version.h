// The version of the program, as the build says it.
#pragma once

namespace evenbench::cli {

inline constexpr const char* kVersion = EVENBENCH_VERSION;

}  // namespace evenbench::cli
