// What a server said, made fit to stand in a record: one line, valid UTF-8, bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace evenbench::wire {

// Runs of blanks and control characters become one space; text that is not UTF-8 keeps its ASCII
// and shows '?' for the rest; a cut falls between characters.
std::string detail_text(std::string_view text, std::size_t max_bytes = 300);

}  // namespace evenbench::wire
