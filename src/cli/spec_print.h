// Writes a spec back as YAML with every default filled in: what `check` prints, what the run folder
// keeps and whose hash the run file holds. No key is ever in it: specs hold only names of
// variables.
#pragma once

#include <string>

#include "cli/spec.h"

namespace evenbench::cli {

// Reading it again gives the same spec.
std::string print_spec(const Spec& spec);

}  // namespace evenbench::cli
