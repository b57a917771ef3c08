// The version of the program and its type of build, as the build says them.
#pragma once

namespace evenbench::cli {

inline constexpr const char* kVersion = EVENBENCH_VERSION;
inline constexpr const char* kBuild = EVENBENCH_BUILD;

}  // namespace evenbench::cli
