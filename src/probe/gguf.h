// The general facts in the header of a GGUF file (versions 2 and 3). Reads the header only, trusts
// none of its numbers.
#pragma once

#include <istream>
#include <string>
#include <utility>
#include <vector>

namespace evenbench::probe {

// ("general.architecture", "llama"), ... in their order; general.file_type by its usual name
// ("Q4_K_M"). Empty: no GGUF. A header that is cut or broken gives what stands before the break.
std::vector<std::pair<std::string, std::string>> gguf_facts(std::istream& file);

}  // namespace evenbench::probe
