// Which image stands behind a name.
#pragma once

#include <string>

#include "base/time.h"

namespace evenbench::cli {

// The image as the registry knows it, whatever its tag points to by now. "unknown": it is not on
// this machine, or Docker does not answer.
std::string image_digest(const std::string& image, const Clock& clock);

}  // namespace evenbench::cli
