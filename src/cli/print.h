// Everything the program writes for people and scripts goes through here. A terminal or a pipe that
// is gone must not end a measurement: what cannot be written to stderr is lost without a word.
#pragma once

#include <string_view>

namespace evenbench::cli {

// false: stdout took not all of it.
bool print_out(std::string_view text);
void print_err(std::string_view text);

}  // namespace evenbench::cli
