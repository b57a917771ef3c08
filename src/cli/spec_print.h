// Writes a spec back as YAML with every default filled in: what `check` prints, what the run folder
// keeps and whose hash the run file holds. No key is ever in it: specs hold only names of
// variables.
#pragma once

#include <string>

#include "cli/spec.h"

namespace evenbench::cli {

// Reading it again gives the same spec.
std::string print_spec(const Spec& spec);

// SHA-256 of the text, as 64 hexadecimal digits.
std::string sha256_hex(const std::string& text);

}  // namespace evenbench::cli
