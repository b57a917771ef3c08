// The units that people write in specs and on the command line. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace evenbench::cli {

// "500ms", "30s", "1.5m", "2h"; nullopt when it is none (a bare number has no unit and is none).
std::optional<Nanos> parse_duration(std::string_view text);
// "0.1%" -> 0.001
std::optional<double> parse_percent(std::string_view text);
// "8/s" -> 8, "30/m" -> 0.5
std::optional<double> parse_per_time(std::string_view text);
// A whole decimal number, optionally signed or with a fraction; nothing before or after.
std::optional<double> parse_number(std::string_view text);
// "0,2-3" -> 0, 2, 3; nullopt when it is no list of CPU numbers.
std::optional<std::vector<int>> parse_cpu_list(std::string_view text);
// The shortest of "500ms", "30s", "5m" that says it exactly.
std::string print_duration(Nanos d);

// The candidate that is closest to `word` by edit distance, if it is close enough to be what was
// meant.
std::optional<std::string> nearest(std::string_view word,
                                   const std::vector<std::string>& candidates);

}  // namespace evenbench::cli
