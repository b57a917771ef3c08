// A program that is done in a moment, such as `docker inspect`: run, waited for, never left behind.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace evenbench::engine {

// What `argv` (argv[0] looked up in PATH) writes to its standard output, at most 64 KiB of it.
// Error: environment; it could not be started, ended with another code than 0 (with what it wrote
// to its standard error), or was not done within `limit` and was killed.
Result<std::string> output_of(const std::vector<std::string>& argv, Nanos limit,
                              const Clock& clock);

}  // namespace evenbench::engine
